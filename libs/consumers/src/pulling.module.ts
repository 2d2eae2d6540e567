import { GroupsModule } from '@annals/groups';
import { Module } from '@nestjs/common';
import { LockedConsumers } from './application/pull/locked-consumers';
import { PullPolls } from './application/pull/pull-polls';
import { SettleEvents } from './application/pull/settle-events';
import { TakeEvents } from './application/pull/take-events';
import { ConsumersModule } from './consumers.module';

/** Workers that pull events, through HTTP or in the process itself. Needs what `ConsumersModule` needs. */
@Module({
  imports: [GroupsModule, ConsumersModule],
  providers: [LockedConsumers, TakeEvents, PullPolls, SettleEvents],
  exports: [ConsumersModule, LockedConsumers, PullPolls, SettleEvents],
})
export class PullingModule {}
