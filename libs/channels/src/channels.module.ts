import { GroupUses, GroupsModule } from '@annals/groups';
import { SettingReferences } from '@annals/realm';
import { BotChannels, UsersModule } from '@annals/users';
import { Global, Module } from '@nestjs/common';
import { ChannelCreation } from './application/channel/channel-creation';
import { Administration } from './application/channel/administration';
import { AutomaticPolicies } from './application/topic-policies/automatic-policies';
import { KnownBotChannels } from './application/bot-channels';
import { ArchiveChannelHandler } from './application/channel/archive-channel';
import { ChangeChannelHandler, ChannelChanges } from './application/channel/change-channel';
import { ChannelRulesFacts } from './application/channel/channel-rules';
import { CreateChannelHandler } from './application/channel/create-channel';
import { DormantChannels } from './application/channel/dormant-channels';
import { KnownGroupUses } from './application/group-uses';
import { SubscriptionEffects } from './application/subscription/subscription-effects';
import { AddableChannels } from './application/subscription/addable-channels';
import { SubscriberArgs } from './application/subscription/subscriber-args';
import { KnownReferences } from './application/setting-references';
import { ChangeFolderHandler, CreateFolderHandler, ReorderFoldersHandler } from './application/folders';
import {
  ChangeChannelsOfDefaultGroupHandler,
  ChangeDefaultGroupHandler,
  ChannelsOfGroups,
  CreateDefaultGroupHandler,
  DeleteDefaultGroupHandler,
} from './application/default-groups';
import { Resubscriptions } from './application/subscription/resubscribe';
import { SetTopicPolicyHandler } from './application/topic-policies/set-topic-policy';
import { SetDefaultChannelHandler } from './application/channel/set-default-channel';
import { SubscribeHandler } from './application/subscription/subscribe';
import { ChangePersonalSettingsHandler } from './application/subscription/change-personal-settings';
import { Unsubscriptions } from './application/subscription/unsubscription-effects';
import { Subscribing } from './application/subscription/subscribe';
import { UndoArchiving } from './application/channel/undo-archiving';
import { UndoUnsubscribing } from './application/subscription/undo-unsubscribing';
import { UnsubscribeHandler } from './application/subscription/unsubscribe';
import { TopicPolicies } from './application/topic-policies/topic-policies';
import { TopicReaders } from './application/topic-policies/topic-readers';
import { UpdateSubscriptionsHandler } from './application/subscription/update-subscriptions';
import { ChannelFacts } from './read/channel/channel-facts';
import { SubscriptionFacts } from './read/subscription/subscription-facts';
import { TopicPolicyFacts } from './read/topic-policies/topic-policy-facts';
import { FindChannelEmailHandler } from './read/channel/channel-email';
import { PastChannels } from './read/channel/past-channels';
import { ListFoldersHandler } from './read/channel-folders';
import { FindChannelIdHandler, ListChannelsHandler, ShowChannelHandler } from './read/channel/channel-lists';
import {
  IsSubscribedHandler,
  ListSubscribedChannelsHandler,
  ListSubscribersHandler,
  ChannelMetadataAccess,
} from './read/subscription/subscriber-queries';

/**
 * Channels and subscriptions. Global, because the organization checks the channels in its settings here, and groups
 * their uses.
 */
@Global()
@Module({
  imports: [UsersModule, GroupsModule],
  providers: [
    ChannelFacts,
    SubscriptionFacts,
    DormantChannels,
    ChannelCreation,
    SubscriptionEffects,
    Resubscriptions,
    TopicReaders,
    TopicPolicies,
    TopicPolicyFacts,
    AutomaticPolicies,
    SetTopicPolicyHandler,
    SubscriberArgs,
    AddableChannels,
    { provide: SettingReferences, useClass: KnownReferences },
    { provide: GroupUses, useClass: KnownGroupUses },
    { provide: BotChannels, useClass: KnownBotChannels },
    ChannelRulesFacts,
    Administration,
    CreateChannelHandler,
    ChannelChanges,
    ChangeChannelHandler,
    UndoArchiving,
    UndoUnsubscribing,
    ArchiveChannelHandler,
    SetDefaultChannelHandler,
    CreateFolderHandler,
    ChangeFolderHandler,
    ReorderFoldersHandler,
    ChannelsOfGroups,
    CreateDefaultGroupHandler,
    ChangeDefaultGroupHandler,
    ChangeChannelsOfDefaultGroupHandler,
    DeleteDefaultGroupHandler,
    SubscribeHandler,
    PastChannels,
    ListChannelsHandler,
    FindChannelIdHandler,
    ShowChannelHandler,
    FindChannelEmailHandler,
    ListFoldersHandler,
    Subscribing,
    Unsubscriptions,
    ChannelMetadataAccess,
    ListSubscribersHandler,
    IsSubscribedHandler,
    ListSubscribedChannelsHandler,
    UnsubscribeHandler,
    UpdateSubscriptionsHandler,
    ChangePersonalSettingsHandler,
  ],
  exports: [
    ChannelFacts,
    SubscriptionFacts,
    DormantChannels,
    SubscriptionEffects,
    AddableChannels,
    Resubscriptions,
    TopicReaders,
    TopicPolicies,
    AutomaticPolicies,
    SettingReferences,
    GroupUses,
    BotChannels,
    UndoArchiving,
    UndoUnsubscribing,
  ],
})
export class ChannelsModule {}
