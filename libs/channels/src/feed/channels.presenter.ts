import { definePresenter } from '@annals/kernel';
import type { FeedReader, PlacedClientEvent, QueueProfile } from '@annals/kernel';
import type { Audience, ChannelId, Position, UserId } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { departedAmong } from '@annals/users';
import type { SystemGroupIds } from '../domain/settings';
import type { Activity } from '../read/activity';
import { readActivity } from '../read/activity';
import type { ChannelRow } from '../read/channel-row';
import { namedInSettings, readChannels, readDefaultChannels } from '../read/channel-row';
import type { PersonalByPerson } from '../read/personal';
import { personalKey, readPersonal } from '../read/personal';
import type { ChannelFigures } from '../read/present-channel';
import { presentChannel, presentSubscription } from '../read/present-channel';
import type { ArchivedAt } from './archived';
import { isForClient, readArchivedAt } from './archived';
import type { UpdateFacts } from './channel-updates';
import { presentUpdate, updateFacts } from './channel-updates';
import type { Subscribers } from '../read/subscribers';
import { subscribersAt } from '../read/subscribers';
import { channelsLeft, presentProperty, presentRemoved } from './own-subscription';
import type { ChannelPayload, SubscriptionPayload } from './payloads';

const channelPayload = ({ payload }: PlacedClientEvent) => payload as unknown as ChannelPayload;
/** For events that speak of channels. */
const subscriptionPayload = ({ payload }: PlacedClientEvent) => payload as unknown as SubscriptionPayload;

const idsOf = (event: PlacedClientEvent): readonly ChannelId[] => {
  const payload = subscriptionPayload(event);
  return payload.op === 'update' ? [payload.channelId] : payload.channelIds;
};

/** Channels as they are now, with who was subscribed at each event. */
interface Loaded {
  readonly systemGroups: SystemGroupIds;
  readonly channels: ReadonlyMap<ChannelId, ChannelRow>;
  readonly activity: ReadonlyMap<ChannelId, Activity>;
  readonly departed: ReadonlySet<UserId>;
  readonly subscribers: ReadonlyMap<Position, Subscribers>;
  readonly archivedAt: ArchivedAt;
}

interface LoadedSubscriptions extends Loaded {
  readonly personal: PersonalByPerson;
  /** Channels that somebody left. */
  readonly left: ReadonlyMap<ChannelId, ChannelRow>;
}

/** Lists in events are never shortened. */
const NONE: ReadonlySet<ChannelId> = new Set();
const NOBODY_YET: ChannelFigures['counts'] = new Map();

/** contract/channels.md sections 2, 5.1 and 6, and realtime.md section 6.2, `stream` */
export const channelsPresenter = definePresenter<Loaded & { readonly updates: UpdateFacts }>({
  type: 'stream',
  load: async (reader, events) => {
    const isUpdate = (event: PlacedClientEvent) => channelPayload(event).op === 'update';
    const shownWhole = events.filter((event) => channelPayload(event).op === 'create');
    return {
      ...(await load(reader, [...shownWhole, ...events.filter(isUpdate)], (event) =>
        channelsIn(channelPayload(event)),
      )),
      updates: await updateFacts(reader, events.filter(isUpdate)),
    };
  },
  present: (event, loaded, queue) => {
    const payload = channelPayload(event);
    if (!isForClient(payload, queue)) return [];
    const known = knownTo(queue, event, loaded, channelsIn(payload));
    if (known.length === 0) return [];
    if (payload.op === 'delete') {
      const streams = known.map((stream_id) => ({ stream_id }));
      return [{ type: 'stream', op: 'delete', streams, stream_ids: known }];
    }
    if (payload.op === 'update') {
      return presentUpdate(event, payload, shown(payload.channelId, loaded), loaded.systemGroups, loaded.updates);
    }
    const figures = figuresAt(event.position, loaded);
    const shownFigures = payload.isPeopledNext ? { ...figures, counts: NOBODY_YET } : figures;
    return [
      { type: 'stream', op: 'create', streams: known.map((id) => presentChannel(shown(id, loaded), shownFigures)) },
    ];
  },
  variant: (_event, _loaded, { capabilities }) => (capabilities.archived_channels ? 'new' : 'old'),
});

const channelsIn = (payload: ChannelPayload): readonly ChannelId[] =>
  payload.op === 'update' ? [payload.channelId] : payload.channelIds;

/** Clients that do not know of archived channels are told of their leaving, and of nothing else. */
function knownTo(
  { capabilities }: QueueProfile,
  { position, payload }: PlacedClientEvent,
  { archivedAt }: Loaded,
  ids: readonly ChannelId[],
): readonly ChannelId[] {
  if (capabilities.archived_channels || payload['op'] === 'delete') return ids;
  return ids.filter((id) => !archivedAt(id, position));
}

/** contract/subscriptions.md section 2.3 and realtime.md section 6.2, `subscription` */
export const subscriptionsPresenter = definePresenter<LoadedSubscriptions>({
  type: 'subscription',
  load: async (reader, events) => {
    const additions = events.filter((event) => subscriptionPayload(event).op === 'add');
    const needed = events.filter((event) => needsChannels(subscriptionPayload(event)));
    const users = additions.flatMap(({ audience }) => usersOf(audience));
    const channels = [...new Set(additions.flatMap(idsOf))];
    return {
      ...(await load(reader, needed, idsOf)),
      archivedAt: await readArchivedAt(reader, [...new Set(events.flatMap(idsOf))]),
      personal: await readPersonal(reader.client, reader.realmId, users, channels),
      left: await readChannels(reader.client, reader.realmId, events.flatMap(channelsLeft)),
    };
  },
  present: (event, loaded, queue) => {
    const { userId, includeSubscribers } = queue;
    const told = subscriptionPayload(event);
    const channelIds = isForClient(told, queue) ? knownTo(queue, event, loaded, idsOf(event)) : [];
    if (channelIds.length === 0) return [];
    if (told.op === 'update') return [presentProperty(told)];
    const payload = { ...told, channelIds };
    if (payload.op === 'remove') return [presentRemoved(channelIds, loaded.left)];
    const figures = figuresAt(event.position, loaded);
    if (isAboutPeers(payload)) return peers(payload, figures);
    const shownFigures = includeSubscribers === false ? { ...figures, lists: null } : figures;
    const subscriptions = payload.channelIds.map((id) => {
      const personal = loaded.personal.get(personalKey(userId, id)) ?? null;
      return presentSubscription({ ...shown(id, loaded), isSubscribed: true, personal }, shownFigures);
    });
    return [{ type: 'subscription', op: 'add', subscriptions }];
  },
  variant: (event, _, { userId, includeSubscribers, capabilities }) => {
    const knows = capabilities.archived_channels ? 'new' : 'old';
    return subscriptionPayload(event).op === 'add' ? `${knows} ${userId} ${includeSubscribers !== false}` : knows;
  },
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
  reader: FeedReader,
  events: readonly PlacedClientEvent[],
  channelsOf: (event: PlacedClientEvent) => readonly ChannelId[],
): Promise<Loaded> {
  const { client, realmId } = reader;
  const asked = new Map<Position, Set<ChannelId>>();
  for (const event of events) {
    const ids = asked.get(event.position) ?? new Set<ChannelId>();
    asked.set(event.position, ids);
    for (const id of channelsOf(event)) ids.add(id);
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
    activity: await readActivity(client, realmId, all),
    departed: await departedAmong(client, realmId, namedInSettings(channels.values())),
    archivedAt: await readArchivedAt(reader, all),
    subscribers,
  };
}

function figuresAt(position: Position, { systemGroups, departed, subscribers: all }: Loaded): ChannelFigures {
  const subscribers = all.get(position) ?? new Map<ChannelId, readonly UserId[]>();
  const counts = new Map([...subscribers].map(([id, users]) => [id, users.length]));
  return { systemGroups, departed, counts, lists: { users: subscribers, shortened: NONE } };
}

function shown(id: ChannelId, { channels, activity }: Loaded) {
  const [channel, figures] = [channels.get(id), activity.get(id)];
  if (!channel || !figures) throw new Error(`channel ${id} does not exist`);
  return { ...channel, ...figures };
}
