import { ChannelsModule } from '@annals/channels';
import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { CreateUserHandler } from './application/create-user';
import { ReactivateUserHandler } from './application/reactivate-user';

/** Commands that need several contexts. */
@Module({ imports: [UsersModule, ChannelsModule], providers: [CreateUserHandler, ReactivateUserHandler] })
export class OnboardingModule {}
