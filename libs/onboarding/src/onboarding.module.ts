import { ChannelsModule } from '@annals/channels';
import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { CreateUserHandler } from './application/create-user';
import { CreateUserController } from './http/create-user.controller';

/** Acts that need several contexts. */
@Module({ imports: [UsersModule, ChannelsModule], providers: [CreateUserHandler] })
export class OnboardingModule {}

@Module({ imports: [OnboardingModule], controllers: [CreateUserController] })
export class OnboardingHttpModule {}
