import { GroupsModule } from '@annals/groups';
import { SettingReferences } from '@annals/realm';
import { UsersModule } from '@annals/users';
import { Global, Module } from '@nestjs/common';
import { ChannelCreation } from './application/channel-creation';
import { CreateChannelHandler } from './application/create-channel';
import { Joinings } from './application/joining';
import { Principals } from './application/principals';
import { KnownReferences } from './application/setting-references';
import { SubscribeHandler } from './application/subscribe';
import { ChangePersonalSettingsHandler } from './application/change-personal-settings';
import { Leavings } from './application/leaving';
import { Subscribing } from './application/subscribe';
import { UnsubscribeHandler } from './application/unsubscribe';
import { UpdateSubscriptionsHandler } from './application/update-subscriptions';
import { ChannelsController } from './http/channels.controller';
import { OwnSubscriptionsController } from './http/own-subscriptions.controller';
import { SubscribersController } from './http/subscribers.controller';
import { SubscriptionsController } from './http/subscriptions.controller';
import { ChannelFacts } from './read/channel-facts';
import {
  IsSubscribedHandler,
  ListSubscribedChannelsHandler,
  ListSubscribersHandler,
  Sight,
} from './read/subscriber-queries';
import { FindChannelIdHandler, ListChannelsHandler } from './read/channel-lists';

/** Channels and subscriptions. Global, because the organization asks it whether what its settings name is there. */
@Global()
@Module({
  imports: [UsersModule, GroupsModule],
  providers: [
    ChannelFacts,
    ChannelCreation,
    Joinings,
    Principals,
    { provide: SettingReferences, useClass: KnownReferences },
    CreateChannelHandler,
    SubscribeHandler,
    ListChannelsHandler,
    FindChannelIdHandler,
    Subscribing,
    Leavings,
    Sight,
    ListSubscribersHandler,
    IsSubscribedHandler,
    ListSubscribedChannelsHandler,
    UnsubscribeHandler,
    UpdateSubscriptionsHandler,
    ChangePersonalSettingsHandler,
  ],
  exports: [ChannelFacts, Joinings, SettingReferences],
})
export class ChannelsModule {}

@Module({
  controllers: [ChannelsController, SubscriptionsController, OwnSubscriptionsController, SubscribersController],
})
export class ChannelsHttpModule {}
