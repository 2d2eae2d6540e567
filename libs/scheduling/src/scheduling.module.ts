import { GroupsModule } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import { MessagesModule } from '@annals/messages';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Deliveries } from './application/deliveries';
import { Lateness } from './application/lateness';
import { ReminderDeliveries } from './application/reminder-deliveries';
import { ReminderTexts } from './application/reminder-texts';
import { Deliverer } from './jobs/deliverer';

/** Deliveries of due messages and reminders, in a worker. */
@Module({
  imports: [MessagesModule, GroupsModule],
  providers: [
    Deliveries,
    ReminderTexts,
    ReminderDeliveries,
    {
      provide: Deliverer,
      inject: [Kernel, Deliveries, ReminderDeliveries],
      useFactory: (kernel: Kernel, messages: Deliveries, reminders: ReminderDeliveries) =>
        new Deliverer(kernel, messages, reminders),
    },
  ],
})
export class SchedulingJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly deliverer: Deliverer) {}

  /** @param minutes how late a scheduled message may be sent at most */
  static lateBy(minutes: number): DynamicModule {
    return { module: SchedulingJobsModule, providers: [{ provide: Lateness, useValue: new Lateness(minutes) }] };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.deliverer.begin();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.deliverer.stop();
  }
}
