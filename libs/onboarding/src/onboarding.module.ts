import { ChannelsModule } from '@annals/channels';
import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { CreateUserHandler } from './application/create-user';
import { NewPeople } from './application/new-people';
import { ReactivateUserHandler, Reactivations } from './application/reactivate-user';
import { UndoDeactivation } from './application/undo-deactivation';

/** Commands that need several contexts. */
@Module({
  imports: [UsersModule, ChannelsModule],
  providers: [CreateUserHandler, NewPeople, Reactivations, ReactivateUserHandler, UndoDeactivation],
  exports: [NewPeople, Reactivations, UndoDeactivation],
})
export class OnboardingModule {}
