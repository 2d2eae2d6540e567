import { Module } from '@nestjs/common';
import { ChangeConsumerHandler, DeleteConsumerHandler, RewindConsumerHandler } from '../application/change-consumer';
import { CreateConsumerHandler } from '../application/create-consumer';
import { Selections } from '../application/selections';
import { ConsumersModule } from '../consumers.module';
import { Beginnings } from '../read/beginnings';
import { ShownConsumers } from '../read/shown-consumers';
import { ConsumersController } from './consumers.controller';

/** Consumers, asked through HTTP (contract/feed.md). */
@Module({
  imports: [ConsumersModule],
  providers: [
    Selections,
    Beginnings,
    ShownConsumers,
    CreateConsumerHandler,
    ChangeConsumerHandler,
    RewindConsumerHandler,
    DeleteConsumerHandler,
  ],
  controllers: [ConsumersController],
})
export class ConsumersHttpModule {}
