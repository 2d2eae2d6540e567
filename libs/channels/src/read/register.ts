import type { RegisterBlock } from '@annals/kernel';
import { isGuest } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { presentFolder, readFolders } from './channel-folders';
import { readDefaultChannels } from './channel-row';
import type { ListedChannel } from './list-channels';
import { listChannels } from './list-channels';
import type { ChannelFigures } from './present-channel';
import { channelFigures, presentChannel, presentSubscribers, presentSubscription } from './present-channel';

/** What a subscription inherits from its subscriber, whose settings nobody can change yet (contract/boot.md section 6). */
const INHERITED = {
  desktop_notifications: false,
  email_notifications: false,
  push_notifications: false,
  audible_notifications: false,
  wildcard_mentions_notify: true,
};

/** Channels and subscriptions in `POST /register` (contract/boot.md section 4.1). */
export const channelsRegisterBlock: RegisterBlock = {
  keys: ['subscription', 'stream'],
  async read({ client, realmId, at }, by, { keys, capabilities, includeSubscribers }) {
    const realm = await readRealm(client, realmId);
    if (!realm) throw new Error(`realm ${realmId} does not exist`);
    const all = await listChannels(client, by, ['visible']);
    const channels = capabilities.archived_channels ? all : all.filter(({ isArchived }) => !isArchived);
    const asked = { include: keys.has('subscription') && includeSubscribers, at };
    const { systemGroups } = realm;
    const figures = await channelFigures(client, realmId, channels, { systemGroups, asked });
    return {
      ...(keys.has('subscription') && subscriptions(channels, figures, capabilities.notification_settings_null)),
      ...(keys.has('stream') && { streams: channels.map((channel) => presentChannel(channel, figures)) }),
    };
  },
};

function subscriptions(channels: readonly ListedChannel[], figures: ChannelFigures, nulls: boolean) {
  const mine = (channel: ListedChannel) => {
    const presented = presentSubscription(channel, figures);
    return nulls ? presented : withoutNulls(presented);
  };
  const former = channels.filter(({ isSubscribed, personal }) => !isSubscribed && personal);
  const never = channels.filter(({ personal }) => !personal);
  return {
    subscriptions: channels.filter(({ isSubscribed }) => isSubscribed).map(mine),
    unsubscribed: former.map(mine),
    never_subscribed: never.map((channel) => ({
      ...presentChannel(channel, figures),
      ...presentSubscribers(channel, figures),
    })),
  };
}

/** For clients that do not know of inherited settings (contract/realtime.md section 2.1). */
const withoutNulls = <T extends object>(subscription: T): T => ({
  ...subscription,
  ...Object.fromEntries(
    Object.entries(INHERITED).map(([name, inherited]) => [name, subscription[name as keyof T] ?? inherited]),
  ),
});

/** The channels that new accounts get; guests are not told (contract/boot.md section 4.1). */
export const defaultChannelsRegisterBlock: RegisterBlock = {
  keys: ['default_streams'],
  async read({ client, realmId }, by) {
    return { realm_default_streams: isGuest(by) ? [] : await readDefaultChannels(client, realmId) };
  },
};

/** All folders, archived ones included (contract/boot.md section 4.1). */
export const foldersRegisterBlock: RegisterBlock = {
  keys: ['channel_folders'],
  async read({ client, realmId }) {
    return { channel_folders: (await readFolders(client, realmId)).map(presentFolder) };
  },
};
