import { defineContext } from '@annals/kernel';
import { channelNameFree, notYetMember, stillDormant, stillMember } from './application/guards';
import { ActivityCounted, ActivityResumed, ChannelCreated, Subscribed, Unsubscribed } from './domain/events';
import { activityFeed } from './feed/activity.feed';
import { channelsFeed } from './feed/channels.feed';
import { channelsPresenter, defaultChannelsPresenter, subscriptionsPresenter } from './feed/channels.presenter';
import { activityView } from './read/activity.view';
import { channelsView } from './read/channels.view';
import { membershipsView } from './read/memberships.view';
import { channelsRegisterBlock, defaultChannelsRegisterBlock } from './read/register';

export const channelsContext = defineContext({
  name: 'channels',
  events: [ChannelCreated, Subscribed, Unsubscribed, ActivityCounted, ActivityResumed],
  guards: [channelNameFree, notYetMember, stillMember, stillDormant],
  projections: [channelsView, membershipsView, activityView],
  feeds: [channelsFeed, activityFeed],
  presenters: [channelsPresenter, subscriptionsPresenter, defaultChannelsPresenter],
  registerBlocks: [channelsRegisterBlock, defaultChannelsRegisterBlock],
});
