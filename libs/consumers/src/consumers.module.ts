import { Auditing } from '@annals/audit';
import { ChannelsModule } from '@annals/channels';
import { AccountEventsModule } from '@annals/feed';
import { GroupsModule } from '@annals/groups';
import { Module } from '@nestjs/common';
import { ConsumerFacts } from './read/consumer-facts';
import { ConsumerRights } from './read/consumer-rights';
import { ClientEventsOfOwner } from './read/reading/client-events-of-owner';
import { ConsumerReader } from './read/reading/consumer-reader';
import { DomainEvents } from './read/reading/domain-events';
import { SchemaAddress } from './read/reading/schema-address';

/** What deliveries need to read the log for consumers, in an api and in a worker. Needs what `RealmModule` provides. */
@Module({
  imports: [GroupsModule, ChannelsModule, AccountEventsModule],
  providers: [
    Auditing,
    ConsumerFacts,
    ConsumerRights,
    SchemaAddress,
    DomainEvents,
    ClientEventsOfOwner,
    ConsumerReader,
  ],
  exports: [Auditing, SchemaAddress, ConsumerFacts, ConsumerRights, ConsumerReader],
})
export class ConsumersModule {}
