import { TrailEntries } from '@annals/audit';
import { GroupsModule } from '@annals/groups';
import { Module } from '@nestjs/common';
import { ChangeConsumerHandler, DeleteConsumerHandler, RewindConsumerHandler } from '../application/change-consumer';
import { CreateConsumerHandler } from '../application/create-consumer';
import { Selections } from '../application/selections';
import { PullingModule } from '../pulling.module';
import { Beginnings } from '../read/beginnings';
import { ParkedOffers } from '../read/parked-offers';
import { ShownConsumers } from '../read/shown-consumers';
import { EventSchemas } from '../read/schemas/event-schemas';
import { ConsumersController } from './consumers.controller';
import { PullController } from './pull.controller';
import { SchemasController } from './schemas.controller';

/** Consumers, asked through HTTP (contract/feed.md). */
@Module({
  imports: [GroupsModule, PullingModule],
  providers: [
    Selections,
    Beginnings,
    ShownConsumers,
    TrailEntries,
    EventSchemas,
    ParkedOffers,
    CreateConsumerHandler,
    ChangeConsumerHandler,
    RewindConsumerHandler,
    DeleteConsumerHandler,
  ],
  exports: [PullingModule],
  controllers: [ConsumersController, PullController, SchemasController],
})
export class ConsumersHttpModule {}
