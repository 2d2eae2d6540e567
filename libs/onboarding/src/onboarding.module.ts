import { ChannelsModule } from '@annals/channels';
import { NewestMessage, UsersModule } from '@annals/users';
import { Global, Module } from '@nestjs/common';
import { CreateUserHandler } from './application/create-user';
import { CreateUserController } from './http/create-user.controller';
import { NewestReceived } from './read/newest-received';

/** What needs several contexts. Global, because accounts ask it for the newest message of somebody. */
@Global()
@Module({
  imports: [UsersModule, ChannelsModule],
  providers: [CreateUserHandler, { provide: NewestMessage, useClass: NewestReceived }],
  exports: [NewestMessage],
})
export class OnboardingModule {}

@Module({ imports: [OnboardingModule], controllers: [CreateUserController] })
export class OnboardingHttpModule {}
