import type { RegisterBlock } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import type { OwnSettings } from '@annals/users';
import { settingsOf } from '@annals/users';
import { presentFolder, readFolders } from './channel-folders';
import { readDefaultChannels } from './channel/channel-row';
import type { ListedChannel } from './channel/list-channels';
import { listChannels } from './channel/list-channels';
import type { ChannelFigures } from './channel/present-channel';
import {
  channelFigures,
  presentChannel,
  presentChannels,
  presentSubscribers,
  presentSubscription,
} from './channel/present-channel';

/** The settings of a user that subscriptions inherit (contract/boot.md section 6). */
const inherited = (settings: OwnSettings) => ({
  desktop_notifications: settings.enable_stream_desktop_notifications,
  email_notifications: settings.enable_stream_email_notifications,
  push_notifications: settings.enable_stream_push_notifications,
  audible_notifications: settings.enable_stream_audible_notifications,
  wildcard_mentions_notify: settings.wildcard_mentions_notify,
});

/** Channels and subscriptions in `POST /register` (contract/boot.md section 4.1). */
export const channelsRegisterBlock: RegisterBlock = {
  keys: ['subscription', 'stream'],
  async read(snapshot, by, { keys, capabilities, includeSubscribers }) {
    const { client, realmId } = snapshot;
    const realm = await readRealm(client, realmId);
    if (!realm) throw new Error(`realm ${realmId} does not exist`);
    const all = await listChannels(client, by, ['visible']);
    const channels = capabilities.archived_channels ? all : all.filter(({ isArchived }) => !isArchived);
    const asked = { include: keys.has('subscription') && includeSubscribers, now: () => snapshot.at };
    const { systemGroups } = realm;
    const figures = await channelFigures(client, realmId, channels, { systemGroups, asked });
    const own = capabilities.notification_settings_null ? null : await settingsOf(client, realmId, by.userId);
    return {
      ...(keys.has('subscription') && (await subscriptions(by, channels, figures, own))),
      ...(keys.has('stream') && {
        streams: await presentChannels(by, channels, (channel) => presentChannel(channel, figures)),
      }),
    };
  },
};

/** @param own the actor's settings, for clients without support for inherited ones */
async function subscriptions(
  by: Actor,
  channels: readonly ListedChannel[],
  figures: ChannelFigures,
  own: OwnSettings | null,
) {
  const mine = (channel: ListedChannel) => {
    const presented = presentSubscription(channel, figures);
    return own ? withoutNulls(presented, own) : presented;
  };
  const former = channels.filter(({ isSubscribed, personal }) => !isSubscribed && personal);
  const never = channels.filter(({ personal }) => !personal);
  return {
    subscriptions: await presentChannels(
      by,
      channels.filter(({ isSubscribed }) => isSubscribed),
      mine,
    ),
    unsubscribed: await presentChannels(by, former, mine),
    never_subscribed: await presentChannels(by, never, (channel) => ({
      ...presentChannel(channel, figures),
      ...presentSubscribers(channel, figures),
    })),
  };
}

/** For clients without support for inherited settings (contract/realtime.md section 2.1). */
const withoutNulls = <T extends object>(subscription: T, own: OwnSettings): T => ({
  ...subscription,
  ...Object.fromEntries(
    Object.entries(inherited(own)).map(([name, value]) => [name, subscription[name as keyof T] ?? value]),
  ),
});

/** The default channels of new accounts. Not for guests (contract/boot.md section 4.1). */
export const defaultChannelsRegisterBlock: RegisterBlock = {
  keys: ['default_streams'],
  async read({ client, realmId }, by) {
    return { realm_default_streams: isGuest(by) ? [] : await readDefaultChannels(client, realmId) };
  },
};

/** All folders, also archived ones (contract/boot.md section 4.1). */
export const foldersRegisterBlock: RegisterBlock = {
  keys: ['channel_folders'],
  async read({ client, realmId }) {
    return { channel_folders: (await readFolders(client, realmId)).map(presentFolder) };
  },
};
