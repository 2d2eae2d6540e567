import type { Actor } from '@annals/kernel/domain';
import { isAdministrator, isGuest, permits } from '@annals/kernel/domain';
import type { ChannelSettings } from './settings';

/** The properties of a channel that decide who can see it and read it. */
export interface ChannelPrivacy {
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly settings: Pick<
    ChannelSettings,
    'can_add_subscribers_group' | 'can_administer_channel_group' | 'can_subscribe_group'
  >;
}

/** The user whose access is checked. */
export type Reader = Pick<Actor, 'userId' | 'role' | 'groups'>;

/**
 * How much of a channel's history a user may read. `received` means messages that were sent while they were subscribed.
 */
export type HistoryScope = 'all' | 'received' | 'none';

/** Members of the groups that may join a private channel by themselves read it without being subscribed. */
const inContentGroups = ({ settings }: ChannelPrivacy, reader: Reader): boolean =>
  permits(settings.can_add_subscribers_group, reader, { guests: false }) ||
  permits(settings.can_subscribe_group, reader, { guests: false });

/** Messages and topics (contract/permissions.md section 6, content). */
export function seesContent(channel: ChannelPrivacy, reader: Reader, isSubscribed: boolean): boolean {
  if (channel.isWebPublic || isSubscribed) return true;
  return channel.inviteOnly ? inContentGroups(channel, reader) : !isGuest(reader);
}

/**
 * Whether a user can see that the channel exists, its name, description, settings and subscribers
 * (contract/permissions.md section 6, metadata).
 */
export function seesMetadata(channel: ChannelPrivacy, reader: Reader, isSubscribed: boolean): boolean {
  return seesContent(channel, reader, isSubscribed) || isAdministrator(reader) || inAdministratorGroup(channel, reader);
}

/** How far back a user may read (contract/permissions.md section 6, history of a message). */
export function historyScope(channel: ChannelPrivacy, reader: Reader, isSubscribed: boolean): HistoryScope {
  if (!seesContent(channel, reader, isSubscribed)) return 'none';
  return channel.historyPublicToSubscribers ? 'all' : 'received';
}

/** May change the channel's settings, if its metadata is visible (contract/permissions.md section 6). */
export const administers = (channel: ChannelPrivacy, actor: Reader): boolean =>
  isAdministrator(actor) || inAdministratorGroup(channel, actor);

const inAdministratorGroup = ({ settings }: ChannelPrivacy, reader: Reader): boolean =>
  permits(settings.can_administer_channel_group, reader, { guests: false });
