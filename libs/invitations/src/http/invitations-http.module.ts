import { Module } from '@nestjs/common';
import { InvitationsController } from './invitations.controller';
import { InvitationPresenter } from './present-invitation';

@Module({
  providers: [InvitationPresenter],
  controllers: [InvitationsController],
})
export class InvitationsHttpModule {}
