import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { ChannelId, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { channelNameKey } from '../../domain/channel/channel';
import type { ChannelEvent, MembersEvent } from '../../domain/events';
import { CHANNEL_EVENTS } from '../../domain/events';
import type { ChannelRow } from './channel-row';
import { readChannels } from './channel-row';

type OurEvent = Recorded<ChannelEvent | MembersEvent>;

/** Channels and subscriptions, cached in the process. Exact after the fence. */
@Injectable()
export class ChannelFacts {
  private readonly channels: FactCache<ChannelRow>;
  private readonly ids: FactCache<ChannelId>;
  private readonly subscriptions: FactCache<ReadonlySet<ChannelId>>;

  constructor(private readonly kernel: Kernel) {
    this.channels = kernel.facts<ChannelRow>({
      touched: (event) => (isOfChannel(event) ? [event.data.channelId] : []),
      load: async (realmId, keys) => {
        const rows = await readChannels(kernel.database.pool, realmId, keys.map(Number) as ChannelId[]);
        return new Map([...rows].map(([id, row]) => [String(id), row]));
      },
    });
    this.ids = kernel.facts<ChannelId>({ touched: touchedNames, load: (...key) => this.loadIds(...key) });
    this.subscriptions = kernel.facts<ReadonlySet<ChannelId>>({
      touched: touchedSubscribers,
      load: (...key) => this.loadSubscriptions(...key),
    });
  }

  /** @returns undefined when there is no such channel */
  byId(realmId: RealmId, id: ChannelId): Promise<ChannelRow | undefined> {
    return this.channels.get(realmId, id);
  }

  byIds(realmId: RealmId, ids: readonly ChannelId[]): Promise<Map<ChannelId, ChannelRow>> {
    return this.channels.getMany(realmId, ids);
  }

  /** Finds a channel by its name in any letter case, also an archived one. */
  async byName(realmId: RealmId, name: string): Promise<ChannelRow | undefined> {
    if (name.length > MAX_KEY_LENGTH) return undefined;
    const id = await this.ids.get(realmId, channelNameKey(name));
    return id === undefined ? undefined : this.channels.get(realmId, id);
  }

  /** Finds channels by their names in any letter case. The keys are `nameKey(name)`. */
  async byNames(realmId: RealmId, names: readonly string[]): Promise<Map<string, ChannelRow>> {
    const possible = names.filter(({ length }) => length <= MAX_KEY_LENGTH);
    const ids = await this.ids.getMany(realmId, possible.map(channelNameKey));
    const rows = await this.byIds(realmId, [...ids.values()]);
    return new Map([...ids].flatMap(([key, id]) => (rows.has(id) ? [[key, rows.get(id) as ChannelRow]] : [])));
  }

  /** The channels a user is subscribed to now. */
  async subscribedBy(realmId: RealmId, user: UserId): Promise<ReadonlySet<ChannelId>> {
    return (await this.subscriptions.get(realmId, user)) ?? NO_CHANNELS;
  }

  private async loadIds(realmId: RealmId, keys: readonly string[]): Promise<Map<string, ChannelId>> {
    const { rows } = await this.kernel.database.pool.query<{ name_key: string; channel_id: ChannelId }>({
      name: 'channels-by-name',
      text: `SELECT name_key, channel_id FROM view.channels WHERE realm_id = $1 AND name_key = ANY($2::text[])`,
      values: [realmId, keys],
    });
    return new Map(rows.map((row) => [row.name_key, row.channel_id]));
  }

  private async loadSubscriptions(realmId: RealmId, users: readonly string[]): Promise<Map<string, Set<ChannelId>>> {
    const { rows } = await this.kernel.database.pool.query<{ user_id: UserId; channels: ChannelId[] }>({
      name: 'channels-of-users',
      text: `SELECT user_id, array_agg(channel_id) AS channels FROM view.memberships
        WHERE realm_id = $1 AND user_id = ANY($2::int8[]) AND to_position IS NULL GROUP BY user_id`,
      values: [realmId, users],
    });
    return new Map(rows.map(({ user_id, channels }) => [String(user_id), new Set(channels)]));
  }
}

/** No channel has a longer name, so a longer text is not cached. In UTF-16 units. */
const MAX_KEY_LENGTH = 120;

const NO_CHANNELS: ReadonlySet<ChannelId> = new Set();

function isOf<Type extends OurEvent['type']>(
  event: Recorded,
  type: Type,
): event is Extract<OurEvent, { readonly type: Type }> {
  return event.type === type;
}

/** A name without a channel may be cached, so a new name has to be dropped from the cache. */
function touchedNames(event: Recorded): readonly string[] | 'all' {
  if (isOf(event, 'channels.ChannelCreated')) {
    return event.sealed === 'erased' ? 'all' : [channelNameKey(event.sealed.name)];
  }
  if (!isOf(event, 'channels.ChannelRenamed')) return [];
  return event.sealed === 'erased' ? 'all' : [channelNameKey(event.sealed.name), channelNameKey(event.sealed.previous)];
}

const isOfChannel = (event: Recorded): event is Recorded<ChannelEvent> =>
  CHANNEL_EVENTS.some(({ type }) => type === event.type);

const touchedSubscribers = (event: Recorded): readonly UserId[] =>
  isOf(event, 'channels.Subscribed') || isOf(event, 'channels.Unsubscribed') ? event.data.userIds : [];
