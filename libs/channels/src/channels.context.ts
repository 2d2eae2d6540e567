import { defineContext } from '@annals/kernel';
import { channelNameFree, groupUnused, notYetMember, stillMember } from './application/guards';
import { ChannelCreated, Subscribed, Unsubscribed } from './domain/events';
import { channelsFeed } from './feed/channels.feed';
import { channelsPresenter, defaultChannelsPresenter, subscriptionsPresenter } from './feed/channels.presenter';
import { activityView } from './read/activity.view';
import { channelsView } from './read/channels.view';
import { membershipsView } from './read/memberships.view';
import { channelsRegisterBlock, defaultChannelsRegisterBlock } from './read/register';

export const channelsContext = defineContext({
  name: 'channels',
  events: [ChannelCreated, Subscribed, Unsubscribed],
  guards: [channelNameFree, groupUnused, notYetMember, stillMember],
  projections: [channelsView, membershipsView, activityView],
  feeds: [channelsFeed],
  presenters: [channelsPresenter, subscriptionsPresenter, defaultChannelsPresenter],
  registerBlocks: [channelsRegisterBlock, defaultChannelsRegisterBlock],
});
