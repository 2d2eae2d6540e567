import { definePresenter } from '@annals/kernel';
import type { FeedReader, PositionedClientEvent, QueueProfile } from '@annals/kernel';
import type { Audience, ChannelId, Position, UserId } from '@annals/kernel/domain';
import { isGuest, namedInSettings } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { departedAmong } from '@annals/users';
import type { SystemGroupIds } from '../../domain/channel/settings';
import type { ChannelActivity } from '../../read/channel/activity';
import { readActivity } from '../../read/channel/activity';
import type { ChannelRow } from '../../read/channel/channel-row';
import { readChannels, readDefaultChannels } from '../../read/channel/channel-row';
import type { PersonalByPerson } from '../../read/subscription/personal-settings';
import { personalKey, readPersonal } from '../../read/subscription/personal-settings';
import type { ChannelFigures } from '../../read/channel/present-channel';
import { presentChannel, presentSubscription } from '../../read/channel/present-channel';
import type { ArchivedAt } from './archived';
import { isForClient, readArchivedAt } from './archived';
import type { UpdateFacts } from './channel-updates';
import { presentUpdate, updateFacts } from './channel-updates';
import type { Subscribers } from '../../read/subscription/subscribers';
import { subscribersAt } from '../../read/subscription/subscribers';
import type { ChannelsAt } from '../channels-at';
import { readChannelsAt } from '../channels-at';
import { presentProperty, presentRemoved } from '../subscription/own-subscription';
import type { ChannelPayload, SubscriptionPayload } from '../payloads';

const channelPayload = ({ payload }: PositionedClientEvent) => payload as unknown as ChannelPayload;
/** For events about channels. */
const subscriptionPayload = ({ payload }: PositionedClientEvent) => payload as unknown as SubscriptionPayload;

const idsOf = (event: PositionedClientEvent): readonly ChannelId[] => {
  const payload = subscriptionPayload(event);
  return payload.op === 'update' ? [payload.channelId] : payload.channelIds;
};

/**
 * Channels as they were right after each event, with their subscribers: a user who can no longer see a channel must not
 * receive its later state.
 */
interface Loaded {
  readonly systemGroups: SystemGroupIds;
  readonly rows: ReadonlyMap<ChannelId, ChannelRow>;
  readonly at: ChannelsAt;
  readonly activity: ReadonlyMap<ChannelId, ChannelActivity>;
  readonly departed: ReadonlySet<UserId>;
  readonly subscribers: ReadonlyMap<Position, Subscribers>;
  readonly archivedAt: ArchivedAt;
}

interface LoadedSubscriptions extends Loaded {
  readonly personal: PersonalByPerson;
}

/** Lists in events are never shortened. */
const NONE: ReadonlySet<ChannelId> = new Set();
const NOBODY_YET: ChannelFigures['counts'] = new Map();

/** contract/channels.md sections 2, 5.1 and 6, and realtime.md section 6.2, `stream` */
export const channelsPresenter = definePresenter<Loaded & { readonly updates: UpdateFacts }>({
  type: 'stream',
  load: async (reader, events) => {
    const isUpdate = (event: PositionedClientEvent) => channelPayload(event).op === 'update';
    const isWhole = (event: PositionedClientEvent) => channelPayload(event).op === 'create';
    const loaded = await load(reader, events, (event) => channelsIn(channelPayload(event)), isWhole);
    return { ...loaded, updates: await updateFacts(reader, events.filter(isUpdate)) };
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
      const channel = shown(payload.channelId, event, loaded);
      return presentUpdate(event, payload, channel, loaded.systemGroups, loaded.updates);
    }
    const figures = figuresAt(event.position, loaded);
    const shownFigures = payload.isPeopledNext ? { ...figures, counts: NOBODY_YET } : figures;
    const streams = known.map((id) => presentChannel(shown(id, event, loaded), shownFigures));
    return [{ type: 'stream', op: 'create', streams }];
  },
  variant: (_event, _loaded, { capabilities }) => (capabilities.archived_channels ? 'new' : 'old'),
});

const channelsIn = (payload: ChannelPayload): readonly ChannelId[] =>
  payload.op === 'update' ? [payload.channelId] : payload.channelIds;

/** Clients without support for archived channels receive their removal, and nothing else. */
function knownTo(
  { capabilities }: QueueProfile,
  { position, payload }: PositionedClientEvent,
  { archivedAt }: Loaded,
  ids: readonly ChannelId[],
): readonly ChannelId[] {
  const isArchiving = payload['op'] === 'delete' && payload['clients'] === 'old';
  if (capabilities.archived_channels || isArchiving) return ids;
  return ids.filter((id) => !archivedAt(id, position));
}

/** contract/subscriptions.md section 2.3 and realtime.md section 6.2, `subscription` */
export const subscriptionsPresenter = definePresenter<LoadedSubscriptions>({
  type: 'subscription',
  load: async (reader, events) => {
    const additions = events.filter((event) => subscriptionPayload(event).op === 'add');
    const users = additions.flatMap(({ audience }) => usersOf(audience));
    const channels = [...new Set(additions.flatMap(idsOf))];
    return {
      ...(await load(reader, events, idsOf, (event) => needsSubscribers(subscriptionPayload(event)))),
      personal: await readPersonal(reader.client, reader.realmId, users, channels),
    };
  },
  present: (event, loaded, queue) => {
    const { userId, includeSubscribers } = queue;
    const change = subscriptionPayload(event);
    const channelIds = isForClient(change, queue) ? knownTo(queue, event, loaded, idsOf(event)) : [];
    if (channelIds.length === 0) return [];
    if (change.op === 'update') return [presentProperty(change)];
    const payload = { ...change, channelIds };
    if (payload.op === 'remove') return [presentRemoved(channelIds.map((id) => shown(id, event, loaded)))];
    const figures = figuresAt(event.position, loaded);
    if (isAboutPeers(payload)) return peers(payload, figures);
    const shownFigures = includeSubscribers === false ? { ...figures, lists: null } : figures;
    const subscriptions = payload.channelIds.map((id) => {
      const personal = loaded.personal.get(personalKey(userId, id)) ?? null;
      return presentSubscription({ ...shown(id, event, loaded), isSubscribed: true, personal }, shownFigures);
    });
    return [{ type: 'subscription', op: 'add', subscriptions }];
  },
  variant: (event, _, { userId, includeSubscribers, capabilities }) => {
    const knows = capabilities.archived_channels ? 'new' : 'old';
    return subscriptionPayload(event).op === 'add' ? `${knows} ${userId} ${includeSubscribers !== false}` : knows;
  },
});

/** contract/channels.md section 8. An empty list for a user who became a guest, as in boot.md section 4.1 */
export const defaultChannelsPresenter = definePresenter<readonly ChannelId[]>({
  type: 'default_streams',
  load: ({ client, realmId }) => readDefaultChannels(client, realmId),
  present: (_, ids, queue) => [{ type: 'default_streams', default_streams: isGuest(queue) ? [] : ids }],
  variant: (_, __, queue) => (isGuest(queue) ? 'guest' : 'all'),
});

const needsSubscribers = (payload: SubscriptionPayload) =>
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
  events: readonly PositionedClientEvent[],
  channelsOf: (event: PositionedClientEvent) => readonly ChannelId[],
  withSubscribers: (event: PositionedClientEvent) => boolean,
): Promise<Loaded> {
  const { client, realmId } = reader;
  const asked = new Map<Position, Set<ChannelId>>();
  for (const event of events.filter(withSubscribers)) {
    const ids = asked.get(event.position) ?? new Set<ChannelId>();
    asked.set(event.position, ids);
    for (const id of channelsOf(event)) ids.add(id);
  }
  const all = [...new Set(events.flatMap(channelsOf))];
  const first = events.reduce((least, { position }) => Math.min(least, position), Infinity) as Position;
  const { at } = await readChannelsAt(reader, all, first);
  const states = events.flatMap((event) => channelsOf(event).flatMap((id) => at(id, event.position) ?? []));
  const realm = await readRealm(client, realmId);
  if (!realm) throw new Error(`realm ${realmId} does not exist`);
  const subscribers = new Map<Position, Subscribers>();
  for (const [position, ids] of asked) {
    subscribers.set(position, await subscribersAt(client, realmId, [...ids], position));
  }
  return {
    systemGroups: realm.systemGroups,
    rows: await readChannels(client, realmId, all),
    at,
    activity: await readActivity(client, realmId, all),
    departed: await departedAmong(client, realmId, namedInSettings(states)),
    archivedAt: await readArchivedAt(reader, all),
    subscribers,
  };
}

function figuresAt(position: Position, { systemGroups, departed, subscribers: all }: Loaded): ChannelFigures {
  const subscribers = all.get(position) ?? new Map<ChannelId, readonly UserId[]>();
  const counts = new Map([...subscribers].map(([id, users]) => [id, users.length]));
  return { systemGroups, departed, counts, lists: { users: subscribers, shortened: NONE } };
}

function shown(id: ChannelId, { position }: PositionedClientEvent, { rows, at, activity }: Loaded) {
  const [row, channel, figures] = [rows.get(id), at(id, position), activity.get(id)];
  if (!row || !channel || !figures) throw new Error(`channel ${id} does not exist`);
  return { ...row, ...channel, ...figures };
}
