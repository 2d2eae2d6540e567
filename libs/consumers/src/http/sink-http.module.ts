import { GroupsModule } from '@annals/groups';
import { OutgoingRequests } from '@annals/kernel';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { EndSinkHandler, SetSinkHandler } from '../application/sink/set-sink';
import { SinkAddresses } from '../application/sink/sink-addresses';
import { SinkCredentials } from '../application/sink/sink-credentials';
import { ConsumersModule } from '../consumers.module';
import { ShownConsumers } from '../read/shown-consumers';
import { SinkStates } from '../read/sink/sink-states';
import { SinkController } from './sink.controller';

/** Sinks of consumers, asked through HTTP (contract/feed.md section 7). */
@Module({
  imports: [GroupsModule, ConsumersModule],
  providers: [ShownConsumers, SinkStates, SinkAddresses, SetSinkHandler, EndSinkHandler],
  controllers: [SinkController],
})
export class SinkHttpModule {
  /**
   * @param outgoing knows to which addresses this server may connect on behalf of users
   * @param credentials how this server logs in at engines
   */
  static through(outgoing: OutgoingRequests, credentials: SinkCredentials): DynamicModule {
    const providers = [
      { provide: OutgoingRequests, useValue: outgoing },
      { provide: SinkCredentials, useValue: credentials },
    ];
    return { module: SinkHttpModule, providers };
  }
}
