import { GroupUses, GroupsModule } from '@annals/groups';
import { SettingReferences } from '@annals/realm';
import { UsersModule } from '@annals/users';
import { Global, Module } from '@nestjs/common';
import { ChannelCreation } from './application/channel-creation';
import { CreateChannelHandler } from './application/create-channel';
import { KnownGroupUses } from './application/group-uses';
import { Joinings } from './application/joining';
import { Principals } from './application/principals';
import { KnownReferences } from './application/setting-references';
import { SubscribeHandler } from './application/subscribe';
import { ChannelsController } from './http/channels.controller';
import { SubscriptionsController } from './http/subscriptions.controller';
import { ChannelFacts } from './read/channel-facts';
import { FindChannelIdHandler, ListChannelsHandler } from './read/channel-lists';

/**
 * Channels and subscriptions. Global, because the organization asks it whether what its settings name is there, and
 * groups ask it what uses them.
 */
@Global()
@Module({
  imports: [UsersModule, GroupsModule],
  providers: [
    ChannelFacts,
    ChannelCreation,
    Joinings,
    Principals,
    { provide: SettingReferences, useClass: KnownReferences },
    { provide: GroupUses, useClass: KnownGroupUses },
    CreateChannelHandler,
    SubscribeHandler,
    ListChannelsHandler,
    FindChannelIdHandler,
  ],
  exports: [ChannelFacts, Joinings, SettingReferences, GroupUses],
})
export class ChannelsModule {}

@Module({ controllers: [ChannelsController, SubscriptionsController] })
export class ChannelsHttpModule {}
