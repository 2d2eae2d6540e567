import { GroupUses, GroupsModule } from '@annals/groups';
import { SettingReferences } from '@annals/realm';
import { BotChannels, UsersModule } from '@annals/users';
import { Global, Module } from '@nestjs/common';
import { ChannelCreation } from './application/channel-creation';
import { Administration } from './application/administration';
import { AutomaticPolicies } from './application/automatic-policies';
import { KnownBotChannels } from './application/bot-channels';
import { ArchiveChannelHandler } from './application/archive-channel';
import { ChangeChannelHandler } from './application/change-channel';
import { ChannelRulesFacts } from './application/channel-rules';
import { CreateChannelHandler } from './application/create-channel';
import { DormantChannels } from './application/dormant-channels';
import { KnownGroupUses } from './application/group-uses';
import { Joinings } from './application/joining';
import { Principals } from './application/principals';
import { KnownReferences } from './application/setting-references';
import { ChangeFolderHandler, CreateFolderHandler, ReorderFoldersHandler } from './application/folders';
import { Returns } from './application/returning';
import { SetTopicPolicyHandler } from './application/set-topic-policy';
import { SetDefaultChannelHandler } from './application/set-default-channel';
import { SubscribeHandler } from './application/subscribe';
import { ChangePersonalSettingsHandler } from './application/change-personal-settings';
import { Leavings } from './application/leaving';
import { Subscribing } from './application/subscribe';
import { UnsubscribeHandler } from './application/unsubscribe';
import { TopicPolicies } from './application/topic-policies';
import { TopicReaders } from './application/topic-readers';
import { UpdateSubscriptionsHandler } from './application/update-subscriptions';
import { ChannelFacts } from './read/channel-facts';
import { TopicPolicyFacts } from './read/topic-policy-facts';
import { FindChannelEmailHandler } from './read/channel-email';
import { ListFoldersHandler } from './read/channel-folders';
import { FindChannelIdHandler, ListChannelsHandler, ShowChannelHandler } from './read/channel-lists';
import {
  IsSubscribedHandler,
  ListSubscribedChannelsHandler,
  ListSubscribersHandler,
  Sight,
} from './read/subscriber-queries';

/**
 * Channels and subscriptions. Global, because the organization asks it whether what its settings name is there, and
 * groups ask it what uses them.
 */
@Global()
@Module({
  imports: [UsersModule, GroupsModule],
  providers: [
    ChannelFacts,
    DormantChannels,
    ChannelCreation,
    Joinings,
    Returns,
    TopicReaders,
    TopicPolicies,
    TopicPolicyFacts,
    AutomaticPolicies,
    SetTopicPolicyHandler,
    Principals,
    { provide: SettingReferences, useClass: KnownReferences },
    { provide: GroupUses, useClass: KnownGroupUses },
    { provide: BotChannels, useClass: KnownBotChannels },
    ChannelRulesFacts,
    Administration,
    CreateChannelHandler,
    ChangeChannelHandler,
    ArchiveChannelHandler,
    SetDefaultChannelHandler,
    CreateFolderHandler,
    ChangeFolderHandler,
    ReorderFoldersHandler,
    SubscribeHandler,
    ListChannelsHandler,
    FindChannelIdHandler,
    ShowChannelHandler,
    FindChannelEmailHandler,
    ListFoldersHandler,
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
  exports: [
    ChannelFacts,
    DormantChannels,
    Joinings,
    Returns,
    TopicReaders,
    TopicPolicies,
    AutomaticPolicies,
    SettingReferences,
    GroupUses,
    BotChannels,
  ],
})
export class ChannelsModule {}
