import { ChannelsModule } from '@annals/channels';
import { MessagesModule } from '@annals/messages';
import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { CreateUserHandler } from './application/create-user';
import { NewPeople } from './application/new-people';
import { NewcomerNotices } from './application/newcomer-notices';
import { ReactivateUserHandler, Reactivations } from './application/reactivate-user';
import { SignupAnnouncements } from './application/signup-announcements';
import { UndoDeactivation } from './application/undo-deactivation';

/** Commands that need several contexts. */
@Module({
  imports: [UsersModule, ChannelsModule, MessagesModule],
  providers: [
    CreateUserHandler,
    { provide: NewcomerNotices, useClass: SignupAnnouncements },
    NewPeople,
    Reactivations,
    ReactivateUserHandler,
    UndoDeactivation,
  ],
  exports: [NewPeople, Reactivations, UndoDeactivation],
})
export class OnboardingModule {}
