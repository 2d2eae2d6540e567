import { containsSql, defineFeed, translate } from '@annals/kernel';
import type { FeedReader } from '@annals/kernel';
import type { Audience, ChannelId, ClientEvent, FactOf, Position, Recorded } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import { MembersAdded, MembersRemoved, SubgroupsAdded, SubgroupsRemoved } from '@annals/groups';
import type { RestrictedAt } from '@annals/realm';
import { RealmSettingsChanged } from '@annals/realm';
import { Deactivated, FirstLoggedIn, RoleChanged, before, userAccessEvent } from '@annals/users';
import { ChannelCreated, Returned, Subscribed } from '../../domain/events';
import { ALL_NON_GUESTS, knowsPrivate } from '../audiences';
import type { ChannelsAt } from '../channels-at';
import { readChannelsAt } from '../channels-at';
import { byPerson } from '../subscription/by-person';
import { channelEvent, subscriptionEvent } from '../payloads';
import type { VisibleChannelsChange } from '../access-changes/channel-access-events';
import { restrictedAmong, guestAccessEvents } from '../access-changes/guest-user-access';
import { visibleChannelsChanges } from '../access-changes/channel-access-events';

const defaultsEvent = (audience: Audience): ClientEvent => ({ type: 'default_streams', audience, payload: {} });

/** Client events of new channels and subscriptions (contract/channels.md section 2, subscriptions.md 2.3). */
export const channelsFeed = defineFeed({
  name: 'channels',
  facts: gather,
  translations: [
    translate(ChannelCreated, ({ data: { channelId, isDefault } }) => {
      const created = channelEvent({ op: 'create', channelIds: [channelId] }, { kind: 'metadata', channel: channelId });
      return isDefault ? [created, defaultsEvent(ALL_NON_GUESTS)] : [created];
    }),
    // One append, one sequence: the events follow the last event about subscribers of its channels.
    translate(Subscribed, (event, { channelAt, restrictedAt }: Facts, append) => {
      const subscribed = append.filter(isSubscribed);
      if (subscribed.at(-1)?.position !== event.position) return [];
      return [
        ...subscribed.flatMap((one) => becomingVisible(one, channelAt)),
        ...byPerson(subscribed).map(({ channelIds, users }) =>
          subscriptionEvent({ op: 'add', channelIds }, { kind: 'users', users }),
        ),
        // Guests receive a user before they receive that user's subscriptions.
        ...guestAccessEvents(subscribed, restrictedAt),
        ...subscribed.map(({ data: { channelId, userIds } }) => {
          const others: Audience = {
            kind: 'but',
            these: { kind: 'subscriber-list', channel: channelId },
            not: { kind: 'users', users: userIds },
          };
          return subscriptionEvent({ op: 'peer_add', channelIds: [channelId], userIds }, others);
        }),
      ];
    }),
    translate(RoleChanged, (event, facts: Facts) => {
      const { userId, from, to, isActive } = event.data;
      // Guests receive no default channels (contract/boot.md section 4.1), so their list appears and disappears with
      // the role.
      const changesDefaults = isActive && isGuest({ role: from }) !== isGuest({ role: to });
      return [
        ...visibleChannelsChanged(event, facts),
        ...(changesDefaults ? [defaultsEvent({ kind: 'users', users: [userId] })] : []),
      ];
    }),
    translate(FirstLoggedIn, visibleChannelsChanged),
    translate(RealmSettingsChanged, visibleChannelsChanged),
    translate(MembersAdded, visibleChannelsChanged),
    translate(MembersRemoved, visibleChannelsChanged),
    translate(SubgroupsAdded, visibleChannelsChanged),
    translate(SubgroupsRemoved, visibleChannelsChanged),
    translate(Returned, (event, { restrictedAt }: Facts) => {
      const { userId, channelIds } = event.data;
      return [
        ...(restrictedAt(event.position) ? [userAccessEvent(before(event.position), [userId])] : []),
        ...channelIds.map((channelId) =>
          subscriptionEvent(
            { op: 'peer_add', channelIds: [channelId], userIds: [userId] },
            { kind: 'subscriber-list', channel: channelId },
          ),
        ),
      ];
    }),
    // A user who leaves the organization is removed from the lists of subscribers first (contract/realtime.md section
    // 10).
    translate(Deactivated, ({ data: { userId }, position }, { left }: Facts) =>
      (left.get(position) ?? []).map((channelId) =>
        subscriptionEvent(
          { op: 'peer_remove', channelIds: [channelId], userIds: [userId] },
          { kind: 'subscriber-list', channel: channelId },
        ),
      ),
    ),
  ],
});

/** For users who can see more or fewer channels after a change of their role or groups. */
function visibleChannelsChanged({ position }: Recorded, { visibilityChanges }: Facts): ClientEvent[] {
  return (visibilityChanges.get(position) ?? []).flatMap(({ users, gained, lost }) => {
    const them: Audience = { kind: 'users', users };
    const known = [
      channelEvent({ op: 'create', channelIds: gained, isPeopledNext: true }, them),
      subscriptionEvent({ op: 'peer_add', channelIds: gained, userIds: 'all' }, them),
    ];
    return [
      ...(gained.length > 0 ? known : []),
      ...(lost.length > 0 ? [channelEvent({ op: 'delete', channelIds: lost }, them)] : []),
    ];
  });
}

interface Facts {
  readonly visibilityChanges: ReadonlyMap<number, readonly VisibleChannelsChange[]>;
  readonly channelAt: ChannelsAt;
  readonly restrictedAt: RestrictedAt;
  /** Channels of those who were deactivated at a position. */
  readonly left: ReadonlyMap<number, readonly ChannelId[]>;
}

const isArrival = ({ type }: Recorded): boolean => type === Subscribed.type || type === Returned.type;

type Departure = Recorded<FactOf<typeof Deactivated>>;

const isSubscribed = (event: Recorded): event is Recorded<Subscribed> => event.type === Subscribed.type;

async function gather(reader: FeedReader, events: readonly Recorded[]): Promise<Facts> {
  const joined = [...new Set(events.filter(isSubscribed).map(({ data }) => data.channelId))];
  const departed = events.filter((event): event is Departure => event.type === Deactivated.type);
  return {
    channelAt: (await readChannelsAt(reader, joined, events[0]?.position ?? (0 as Position))).at,
    restrictedAt: await restrictedAmong(reader, events.filter(isArrival)),
    left: await channelsLeft(reader, departed),
    visibilityChanges: await visibleChannelsChanges(reader, events),
  };
}

async function channelsLeft(
  { client, realmId }: FeedReader,
  departed: readonly Departure[],
): Promise<Map<number, ChannelId[]>> {
  if (departed.length === 0) return new Map();
  const { rows } = await client.query<{ position: number; channels: ChannelId[] }>({
    name: 'channels-left',
    text: `SELECT d.position, array_agg(m.channel_id ORDER BY m.channel_id) AS channels
      FROM unnest($2::int8[], $3::int8[]) AS d(user_id, position)
      JOIN view.memberships AS m ON m.realm_id = $1 AND m.user_id = d.user_id
        AND ${containsSql('m', 'd.position - 1')}
      GROUP BY d.position`,
    values: [realmId, departed.map(({ data }) => data.userId), departed.map(({ position }) => position)],
  });
  return new Map(rows.map((row) => [row.position, row.channels]));
}

/** The new subscribers who could not see the channel before. */
function becomingVisible(
  { data: { channelId, userIds }, position }: Recorded<Subscribed>,
  channelAt: ChannelsAt,
): ClientEvent[] {
  const channel = channelAt(channelId, position);
  if (!channel || channel.isWebPublic) return [];
  const knew = channel.inviteOnly ? knowsPrivate(channel) : ALL_NON_GUESTS;
  const audience: Audience = { kind: 'but', these: { kind: 'users', users: userIds }, not: knew };
  return [channelEvent({ op: 'create', channelIds: [channelId] }, audience)];
}
