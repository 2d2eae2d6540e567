import { defineContext } from '@annals/kernel';
import { activityDescriptions } from './audit/activity.audit';
import { channelDescriptions } from './audit/channel.audit';
import { defaultGroupDescriptions } from './audit/default-group.audit';
import { folderDescriptions } from './audit/folder.audit';
import { subscriptionDescriptions } from './audit/subscription.audit';
import { topicPolicyDescriptions } from './audit/topic-policy.audit';
import {
  channelNameFree,
  folderEmpty,
  groupUnused,
  hasSubscribers,
  noNamedTopics,
  notYetMember,
  policiesUnchanged,
  stillDormant,
  stillMember,
} from './application/guards';
import {
  ActivityCounted,
  ActivityResumed,
  CHANNEL_EVENTS,
  Returned,
  Subscribed,
  SubscriptionPropertyChanged,
  Unsubscribed,
} from './domain/events';
import { DEFAULT_GROUP_EVENTS } from './domain/default-groups/default-group-events';
import { FOLDER_EVENTS } from './domain/folder/folder-events';
import { TOPIC_POLICY_EVENTS } from './domain/topic-policies/topic-policy-events';
import { botsPresenter, botsRegisterBlock } from '@annals/users';
import { activityFeed } from './feed/channel/activity.feed';
import { botsFeed } from './feed/bots.feed';
import { channelChangesFeed } from './feed/channel/channel-changes.feed';
import { channelsFeed } from './feed/channel/channels.feed';
import { channelsPresenter, defaultChannelsPresenter, subscriptionsPresenter } from './feed/channel/channels.presenter';
import { subscriptionsFeed } from './feed/subscription/subscriptions.feed';
import { topicPoliciesFeed } from './feed/topic-policies.feed';
import { mutedTopicsPresenter, topicPoliciesPresenter } from './feed/topic-policies.presenter';
import { defaultGroupsFeed, defaultGroupsPresenter } from './feed/default-groups.feed';
import { foldersFeed, foldersPresenter } from './feed/folders.feed';
import { activityView } from './read/channel/activity.view';
import { readChannelNames } from './read/channel/channel-row';
import { channelsView } from './read/channel/channels.view';
import { membershipsView } from './read/subscription/memberships.view';
import { defaultGroupsRegisterBlock } from './read/default-groups';
import { defaultGroupsView } from './read/default-groups.view';
import { foldersView } from './read/folders.view';
import { channelsRegisterBlock, defaultChannelsRegisterBlock, foldersRegisterBlock } from './read/register';
import { topicPoliciesRegisterBlock } from './read/topic-policies/topic-policies-block';
import { topicPoliciesView } from './read/topic-policies/topic-policies.view';
import { namedTopicsView } from './read/topics.view';

/** Declares the block of bots too, because bots name channels. */
export const channelsContext = defineContext({
  name: 'channels',
  events: [
    ...CHANNEL_EVENTS,
    Subscribed,
    Unsubscribed,
    Returned,
    SubscriptionPropertyChanged,
    ...FOLDER_EVENTS,
    ...DEFAULT_GROUP_EVENTS,
    ActivityCounted,
    ActivityResumed,
    ...TOPIC_POLICY_EVENTS,
  ],
  guards: [
    channelNameFree,
    groupUnused,
    notYetMember,
    stillMember,
    folderEmpty,
    hasSubscribers,
    noNamedTopics,
    stillDormant,
    policiesUnchanged,
  ],
  descriptions: [
    ...activityDescriptions,
    ...channelDescriptions,
    ...folderDescriptions,
    ...defaultGroupDescriptions,
    ...subscriptionDescriptions,
    ...topicPolicyDescriptions,
  ],
  projections: [
    channelsView,
    membershipsView,
    activityView,
    namedTopicsView,
    foldersView,
    defaultGroupsView,
    topicPoliciesView,
  ],
  feeds: [
    channelsFeed,
    channelChangesFeed,
    foldersFeed,
    defaultGroupsFeed,
    activityFeed,
    subscriptionsFeed,
    topicPoliciesFeed,
    botsFeed,
  ],
  presenters: [
    channelsPresenter,
    subscriptionsPresenter,
    defaultChannelsPresenter,
    foldersPresenter,
    defaultGroupsPresenter,
    topicPoliciesPresenter,
    mutedTopicsPresenter,
    botsPresenter(readChannelNames),
  ],
  registerBlocks: [
    channelsRegisterBlock,
    defaultChannelsRegisterBlock,
    foldersRegisterBlock,
    defaultGroupsRegisterBlock,
    topicPoliciesRegisterBlock,
    botsRegisterBlock(readChannelNames),
  ],
});
