import { Module } from '@nestjs/common';
import { UsersModule } from '../users.module';
import { AvatarsController } from './avatars.controller';
import { OwnSettingsController } from './own-settings.controller';
import { BotsController } from './bots.controller';
import { LoginController } from './login.controller';
import { ProfileFieldsController } from './profile-fields.controller';
import { UsersController } from './users.controller';

/** Needs a provider of `NewestMessage`. */
@Module({
  imports: [UsersModule],
  controllers: [
    UsersController,
    OwnSettingsController,
    BotsController,
    AvatarsController,
    LoginController,
    ProfileFieldsController,
  ],
})
export class UsersHttpModule {}
