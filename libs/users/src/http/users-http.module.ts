import { Global, Module } from '@nestjs/common';
import { UsersModule } from '../users.module';
import { AlertWordsController } from './alert-words.controller';
import { AvatarsController } from './avatars.controller';
import { OwnSettingsController } from './own-settings.controller';
import { BotStorageController } from './bot-storage.controller';
import { BotsController } from './bots.controller';
import { LoginController } from './sign-in/login.controller';
import { OwnLoginsController } from './sign-in/own-logins.controller';
import { MutedUsersController } from './muted-users.controller';
import { ProfileFieldsController } from './profile-fields.controller';
import { PastRequests } from './past-requests';
import { PresentedPastUsers } from './presented-past-users';
import { UsersController } from './users.controller';

/**
 * Needs providers of `NewestMessage`, `MutedMessages`, `SynchronizedDrafts` and `AuditedReadings`. Global, because requests about the past are
 * the same in every context.
 */
@Global()
@Module({
  providers: [PresentedPastUsers, PastRequests],
  exports: [PastRequests],
  imports: [UsersModule],
  controllers: [
    UsersController,
    OwnSettingsController,
    BotsController,
    BotStorageController,
    AvatarsController,
    LoginController,
    OwnLoginsController,
    MutedUsersController,
    AlertWordsController,
    ProfileFieldsController,
  ],
})
export class UsersHttpModule {}
