import { TrailEntries } from '@annals/audit';
import { GroupsModule } from '@annals/groups';
import { Module } from '@nestjs/common';
import { ChangeConsumerHandler, DeleteConsumerHandler, RewindConsumerHandler } from '../application/change-consumer';
import { CreateConsumerHandler } from '../application/create-consumer';
import { LockedConsumers } from '../application/pull/locked-consumers';
import { PullPolls } from '../application/pull/pull-polls';
import { SettleEvents } from '../application/pull/settle-events';
import { TakeEvents } from '../application/pull/take-events';
import { Selections } from '../application/selections';
import { ConsumersModule } from '../consumers.module';
import { Beginnings } from '../read/beginnings';
import { ParkedOffers } from '../read/parked-offers';
import { ShownConsumers } from '../read/shown-consumers';
import { EventSchemas } from '../read/schemas/event-schemas';
import { ConsumersController } from './consumers.controller';
import { PullController } from './pull.controller';
import { SchemasController } from './schemas.controller';

/** Consumers, asked through HTTP (contract/feed.md). */
@Module({
  imports: [GroupsModule, ConsumersModule],
  providers: [
    Selections,
    Beginnings,
    ShownConsumers,
    TrailEntries,
    EventSchemas,
    LockedConsumers,
    TakeEvents,
    PullPolls,
    SettleEvents,
    ParkedOffers,
    CreateConsumerHandler,
    ChangeConsumerHandler,
    RewindConsumerHandler,
    DeleteConsumerHandler,
  ],
  exports: [PullPolls],
  controllers: [ConsumersController, PullController, SchemasController],
})
export class ConsumersHttpModule {}
