import { definePresenter } from '@annals/kernel';
import type { FeedReader, PlacedClientEvent } from '@annals/kernel';
import type { Audience, ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { departedAmong } from '@annals/users';
import type { SystemGroupIds } from '../domain/settings';
import type { ChannelRow } from '../read/channel-row';
import { namedInSettings, readChannels, readDefaultChannels, readFirstMessages } from '../read/channel-row';
import type { PersonalByPerson } from '../read/personal';
import { personalKey, readPersonal } from '../read/personal';
import type { ChannelFigures } from '../read/present-channel';
import { presentChannel, presentSubscription } from '../read/present-channel';
import type { Subscribers } from '../read/subscribers';
import { subscribersAt } from '../read/subscribers';
import { channelsLeft, presentProperty, presentRemoved } from './own-subscription';
import type { ChannelPayload, SubscriptionPayload } from './payloads';

const channelPayload = ({ payload }: PlacedClientEvent) => payload as unknown as ChannelPayload;
/** For events that speak of channels. */
const channelsOf = (event: PlacedClientEvent) =>
  event.payload as unknown as Exclude<SubscriptionPayload, { op: 'update' }>;
const subscriptionPayload = ({ payload }: PlacedClientEvent) => payload as unknown as SubscriptionPayload;

/** Channels as they are now, with who was subscribed at each event. */
interface Loaded {
  readonly systemGroups: SystemGroupIds;
  readonly channels: ReadonlyMap<ChannelId, ChannelRow>;
  readonly firstMessages: ReadonlyMap<ChannelId, MessageId>;
  readonly departed: ReadonlySet<UserId>;
  readonly subscribers: ReadonlyMap<Position, Subscribers>;
}

interface LoadedSubscriptions extends Loaded {
  readonly personal: PersonalByPerson;
  /** Channels that somebody left. */
  readonly left: ReadonlyMap<ChannelId, ChannelRow>;
}

/** Lists in events are never shortened. */
const NONE: ReadonlySet<ChannelId> = new Set();
const NOBODY_YET: ChannelFigures['counts'] = new Map();

/** contract/channels.md section 2 and realtime.md section 6.2, `stream` */
export const channelsPresenter = definePresenter<Loaded>({
  type: 'stream',
  load: (reader, events) =>
    load(
      reader,
      events.filter((event) => channelPayload(event).op === 'create'),
      channelPayload,
    ),
  present: (event, loaded) => {
    const payload = channelPayload(event);
    const { op, channelIds } = payload;
    if (op === 'delete') {
      const streams = channelIds.map((stream_id) => ({ stream_id }));
      return [{ type: 'stream', op, streams, stream_ids: channelIds }];
    }
    const figures = figuresAt(event.position, loaded);
    const shownFigures = payload.isPeopledNext ? { ...figures, counts: NOBODY_YET } : figures;
    const streams = channelIds.map((id) => presentChannel(shown(id, loaded), shownFigures));
    return [{ type: 'stream', op, streams }];
  },
  variant: () => 'all',
});

/** contract/subscriptions.md section 2.3 and realtime.md section 6.2, `subscription` */
export const subscriptionsPresenter = definePresenter<LoadedSubscriptions>({
  type: 'subscription',
  load: async (reader, events) => {
    const additions = events.filter((event) => subscriptionPayload(event).op === 'add');
    const needed = events.filter((event) => needsChannels(subscriptionPayload(event)));
    const users = additions.flatMap(({ audience }) => usersOf(audience));
    const channels = [...new Set(additions.flatMap((event) => channelsOf(event).channelIds))];
    return {
      ...(await load(reader, needed, channelsOf)),
      personal: await readPersonal(reader.client, reader.realmId, users, channels),
      left: await readChannels(reader.client, reader.realmId, events.flatMap(channelsLeft)),
    };
  },
  present: (event, loaded, { userId, includeSubscribers }) => {
    const payload = subscriptionPayload(event);
    if (payload.op === 'remove') return [presentRemoved(payload.channelIds, loaded.left)];
    if (payload.op === 'update') return [presentProperty(payload)];
    const figures = figuresAt(event.position, loaded);
    if (isAboutPeers(payload)) return peers(payload, figures);
    const shownFigures = includeSubscribers === false ? { ...figures, lists: null } : figures;
    const subscriptions = payload.channelIds.map((id) => {
      const personal = loaded.personal.get(personalKey(userId, id)) ?? null;
      return presentSubscription({ ...shown(id, loaded), isSubscribed: true, personal }, shownFigures);
    });
    return [{ type: 'subscription', op: 'add', subscriptions }];
  },
  variant: (event, _, { userId, includeSubscribers }) =>
    subscriptionPayload(event).op === 'add' ? `${userId} ${includeSubscribers !== false}` : 'all',
});

/** contract/channels.md section 8; an empty list for who became a guest, as in boot.md section 4.1 */
export const defaultChannelsPresenter = definePresenter<readonly ChannelId[]>({
  type: 'default_streams',
  load: ({ client, realmId }) => readDefaultChannels(client, realmId),
  present: (_, ids, queue) => [{ type: 'default_streams', default_streams: isGuest(queue) ? [] : ids }],
  variant: (_, __, queue) => (isGuest(queue) ? 'guest' : 'all'),
});

const needsChannels = (payload: SubscriptionPayload) =>
  payload.op === 'add' || (payload.op === 'peer_add' && payload.userIds === 'all');

const usersOf = (audience: Audience): readonly UserId[] => (audience.kind === 'users' ? audience.users : []);

type PeersPayload = Extract<SubscriptionPayload, { readonly userIds: unknown }>;
const isAboutPeers = (payload: SubscriptionPayload): payload is PeersPayload => 'userIds' in payload;

function peers(payload: PeersPayload, { lists }: ChannelFigures) {
  const { op, channelIds, userIds } = payload;
  if (userIds !== 'all') return [{ type: 'subscription', op, stream_ids: channelIds, user_ids: userIds }];
  return channelIds.map((id) => ({
    type: 'subscription',
    op,
    stream_ids: [id],
    user_ids: lists?.users.get(id) ?? [],
  }));
}

async function load(
  { client, realmId }: FeedReader,
  events: readonly PlacedClientEvent[],
  payloadOf: (event: PlacedClientEvent) => { readonly channelIds: readonly ChannelId[] },
): Promise<Loaded> {
  const asked = new Map<Position, Set<ChannelId>>();
  for (const event of events) {
    const ids = asked.get(event.position) ?? new Set<ChannelId>();
    asked.set(event.position, ids);
    for (const id of payloadOf(event).channelIds) ids.add(id);
  }
  const all = [...new Set([...asked.values()].flatMap((ids) => [...ids]))];
  const channels = await readChannels(client, realmId, all);
  const realm = await readRealm(client, realmId);
  if (!realm) throw new Error(`realm ${realmId} does not exist`);
  const subscribers = new Map<Position, Subscribers>();
  for (const [position, ids] of asked) {
    subscribers.set(position, await subscribersAt(client, realmId, [...ids], position));
  }
  return {
    systemGroups: realm.systemGroups,
    channels,
    firstMessages: await readFirstMessages(client, realmId, all),
    departed: await departedAmong(client, realmId, namedInSettings(channels.values())),
    subscribers,
  };
}

function figuresAt(position: Position, { systemGroups, departed, subscribers: all }: Loaded): ChannelFigures {
  const subscribers = all.get(position) ?? new Map<ChannelId, readonly UserId[]>();
  const counts = new Map([...subscribers].map(([id, users]) => [id, users.length]));
  return { systemGroups, departed, counts, lists: { users: subscribers, shortened: NONE } };
}

function shown(id: ChannelId, { channels, firstMessages }: Loaded) {
  const channel = channels.get(id);
  if (!channel) throw new Error(`channel ${id} does not exist`);
  return { ...channel, firstMessageId: firstMessages.get(id) ?? null };
}
