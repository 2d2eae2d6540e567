import { TrailEntries } from '@annals/audit';
import { GroupsModule } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import { EventStreams } from '@annals/web';
import { Module } from '@nestjs/common';
import { ChangeConsumerHandler, DeleteConsumerHandler, RewindConsumerHandler } from '../application/change-consumer';
import { CreateConsumerHandler } from '../application/create-consumer';
import { ConsumerStreams } from '../application/stream/consumer-streams';
import { Selections } from '../application/selections';
import { PullingModule } from '../pulling.module';
import { Beginnings } from '../read/beginnings';
import { ParkedOffers } from '../read/parked-offers';
import { ShownConsumers } from '../read/shown-consumers';
import { EventSchemas } from '../read/schemas/event-schemas';
import { ConsumersController } from './consumers.controller';
import { PullAnswers } from './pull-answers';
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
    ConsumerStreams,
    { provide: EventStreams, inject: [Kernel], useFactory: ({ clock }: Kernel) => new EventStreams(clock) },
    PullAnswers,
    ParkedOffers,
    CreateConsumerHandler,
    ChangeConsumerHandler,
    RewindConsumerHandler,
    DeleteConsumerHandler,
  ],
  exports: [PullingModule, ConsumerStreams],
  controllers: [ConsumersController, PullController, SchemasController],
})
export class ConsumersHttpModule {}
