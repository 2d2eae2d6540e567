import { GroupsModule } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import { MessagesModule } from '@annals/messages';
import { UsersModule } from '@annals/users';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Answers } from './application/answers';
import { CounterAnswers } from './application/counter-answers';
import { Replies } from './application/replies';
import { TryOutWelcomeHandler } from './application/try-out-welcome';
import { Welcomes } from './application/welcomes';
import { BotOptions } from './jobs/bot-tasks';
import { TaskRunner } from './jobs/task-runner';

/** What the welcome bot writes. */
@Module({
  imports: [UsersModule, MessagesModule],
  providers: [Welcomes, TryOutWelcomeHandler],
  exports: [Welcomes],
})
export class BotsModule {}

/** The bots that a worker runs. */
@Module({
  imports: [BotsModule, UsersModule, GroupsModule, MessagesModule],
  providers: [
    Replies,
    CounterAnswers,
    Answers,
    {
      provide: TaskRunner,
      inject: [Kernel, Answers, Welcomes],
      useFactory: (...parts: ConstructorParameters<typeof TaskRunner>) => new TaskRunner(...parts),
    },
  ],
  exports: [BotOptions],
})
export class BotsJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly runner: TaskRunner) {}

  static with(options: BotOptions): DynamicModule {
    return { module: BotsJobsModule, providers: [{ provide: BotOptions, useValue: options }] };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.runner.begin();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.runner.stop();
  }
}
