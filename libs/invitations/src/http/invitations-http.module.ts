import { Module } from '@nestjs/common';
import { InvitationsController } from './invitations.controller';
import { JoinForms } from './pages/join-forms';
import { JoinPages } from './pages/join.pages';
import { InvitationPresenter } from './present-invitation';

@Module({
  providers: [InvitationPresenter, JoinForms],
  controllers: [InvitationsController, JoinPages],
})
export class InvitationsHttpModule {}
