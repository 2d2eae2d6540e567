import { lastUsed, longWork } from '@annals/kernel';
import type { Actor, ChannelId, GroupSetting, Instant, RealmId, UserId } from '@annals/kernel/domain';
import { namedInSettings, presentGroupSetting, unixSeconds } from '@annals/kernel/domain';
import { renderDescription } from '@annals/markdown';
import { departedAmong } from '@annals/users';
import type { ClientBase, Pool } from 'pg';
import type { SystemGroupIds } from '../../domain/channel/settings';
import { CHANNEL_SETTINGS } from '../../domain/channel/settings';
import type { ChannelRow } from './channel-row';
import type { ListedChannel } from './list-channels';
import type { PersonalSettings } from '../subscription/personal-settings';
import type { AskedSubscribers, SubscriberLists } from '../subscription/subscriber-lists';
import { readSubscriberLists } from '../subscription/subscriber-lists';
import { subscriberCounts } from '../subscription/subscribers';

/** The facts for presenting some channels beside their rows. */
export interface ChannelFigures {
  readonly systemGroups: SystemGroupIds;
  readonly counts: ReadonlyMap<ChannelId, number>;
  readonly lists: SubscriberLists | null;
  /** Deactivated users in settings. */
  readonly departed: ReadonlySet<UserId>;
}

/** Channels with the facts for presenting them. */
export interface ChannelList {
  readonly channels: readonly ListedChannel[];
  readonly figures: ChannelFigures;
}

/** Reads, in a few queries, the facts for presenting these channels. */
export async function channelFigures(
  client: Pool | ClientBase,
  realmId: RealmId,
  channels: readonly ChannelRow[],
  options: { readonly systemGroups: SystemGroupIds; readonly asked: AskedSubscribers },
): Promise<ChannelFigures> {
  const { systemGroups, asked } = options;
  const ids = channels.map(({ id }) => id);
  const departed = await departedAmong(client, realmId, namedInSettings(channels));
  const counts = await subscriberCounts(client, realmId, ids);
  const lists = await readSubscriberLists(client, realmId, { ids, counts }, asked);
  return { systemGroups, departed, counts, lists };
}

/** The same for lists without subscribers. */
export const plainFigures = (
  client: Pool | ClientBase,
  realmId: RealmId,
  channels: readonly ChannelRow[],
  systemGroups: SystemGroupIds,
): Promise<ChannelFigures> =>
  channelFigures(client, realmId, channels, { systemGroups, asked: { include: false, now: () => NEVER } });

/** No time is needed where no subscribers are listed. */
const NEVER = 0 as Instant;

/** Texts are rendered again and again for each reader, and few change. */
const rendered = lastUsed<string>(5_000);

/** HTML of a channel's or a folder's description. Empty for an empty one. */
export function descriptionHtml(description: string): string {
  if (description === '') return '';
  const kept = rendered.get(description);
  if (kept !== undefined) return kept;
  const html = renderDescription(description);
  rendered.set(description, html);
  return html;
}

/** `stream_post_policy` for old clients, the closest value (contract/permissions.md section 4, legacy mirrors). */
export function postPolicy(canSend: GroupSetting, groups: SystemGroupIds): 1 | 2 | 3 | 4 {
  switch (canSend) {
    case groups.administrators:
      return 2;
    case groups.fullmembers:
      return 3;
    case groups.moderators:
      return 4;
    default:
      return 1;
  }
}

/** Channels that are presented at a stretch, before other work runs. */
const AT_ONCE = 50;

/** Presents channels in pieces, because there may be many; other long work runs in between. */
export const presentChannels = <Channel, Presented>(
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
  channels: readonly Channel[],
  present: (channel: Channel) => Presented,
): Promise<Presented[]> => longWork.map(`${realmId}:${userId}`, channels, AT_ONCE, present);

/** The channel object (contract/channels.md section 1, boot.md section 7.2). */
export function presentChannel(
  channel: Omit<ListedChannel, 'isSubscribed' | 'personal'>,
  { systemGroups, counts, departed }: Omit<ChannelFigures, 'lists'>,
) {
  const policy = postPolicy(channel.settings.can_send_message_group, systemGroups);
  const isActive = (user: number) => !departed.has(user as UserId);
  return {
    stream_id: channel.id,
    name: channel.name,
    is_archived: channel.isArchived,
    description: channel.description,
    rendered_description: descriptionHtml(channel.description),
    date_created: unixSeconds(channel.createdAt),
    creator_id: channel.creatorId,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    message_retention_days: channel.messageRetentionDays,
    first_message_id: channel.firstMessageId,
    folder_id: channel.folderId,
    is_recently_active: channel.isRecentlyActive,
    stream_weekly_traffic: channel.weeklyTraffic,
    subscriber_count: counts.get(channel.id) ?? 0,
    topics_policy: channel.topicsPolicy,
    stream_post_policy: policy,
    is_announcement_only: policy === 2,
    ...Object.fromEntries(
      CHANNEL_SETTINGS.map((name) => [name, presentGroupSetting(channel.settings[name], isActive)]),
    ),
  };
}

/** The subscription object: the channel with the settings of its subscriber (contract/subscriptions.md section 1). */
export const presentSubscription = (channel: ListedChannel, figures: ChannelFigures) => ({
  ...presentChannel(channel, figures),
  ...(channel.personal && presentPersonal(channel.personal)),
  ...presentSubscribers(channel, figures),
});

const presentPersonal = (personal: PersonalSettings) => ({
  color: personal.color,
  is_muted: personal.isMuted,
  in_home_view: !personal.isMuted,
  pin_to_top: personal.pinToTop,
  desktop_notifications: personal.desktopNotifications,
  email_notifications: personal.emailNotifications,
  push_notifications: personal.pushNotifications,
  audible_notifications: personal.audibleNotifications,
  wildcard_mentions_notify: personal.wildcardMentionsNotify,
});

/** One list of subscribers, if requested (contract/subscriptions.md section 1). */
export function presentSubscribers({ id }: Pick<ChannelRow, 'id'>, { lists }: Pick<ChannelFigures, 'lists'>) {
  if (lists === null) return null;
  return lists.shortened.has(id)
    ? { partial_subscribers: lists.users.get(id) ?? [] }
    : { subscribers: lists.users.get(id) ?? [] };
}
