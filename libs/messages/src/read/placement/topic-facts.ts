import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { ChannelId, Position, RealmId, Recorded, TopicId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { TopicEnded, TopicMoved, TopicStarted } from '../../domain/events';
import { topicKey } from '../../domain/topic';

/** A topic with its name in its own letter case. */
export interface NamedTopic {
  readonly id: TopicId;
  readonly name: string;
}

/** Where a topic is now. */
export interface TopicPlace {
  readonly channelId: ChannelId;
  readonly name: string;
  /** Position at which it last came from another channel; 0 if it never did. */
  readonly cameFromChannelAt: Position | 0;
  /** It had another name or channel before. */
  readonly wasMoved: boolean;
}

/** Topics by channel and name, and by id, cached in the process; exact for readers that have passed the fence. */
@Injectable()
export class TopicFacts {
  private readonly topics: FactCache<readonly NamedTopic[]>;
  private readonly places: FactCache<TopicPlace>;

  constructor(private readonly kernel: Kernel) {
    this.topics = kernel.facts<readonly NamedTopic[]>({
      touched,
      load: (realmId, keys) => this.load(realmId, keys),
    });
    this.places = kernel.facts<TopicPlace>({
      touched: touchedPlaces,
      load: (realmId, keys) => this.loadPlaces(realmId, keys),
    });
  }

  /** Where topics are; those that ended are left out. */
  byIds(realmId: RealmId, ids: readonly TopicId[]): Promise<Map<TopicId, TopicPlace>> {
    return this.places.getMany(realmId, ids);
  }

  /** @returns the topics with this name in any letter case, oldest first */
  async named(realmId: RealmId, channel: ChannelId, name: string): Promise<readonly NamedTopic[]> {
    return (await this.topics.get(realmId, keyOf(channel, name))) ?? [];
  }

  private async load(realmId: RealmId, keys: readonly string[]): Promise<Map<string, readonly NamedTopic[]>> {
    const pairs = keys.map((key) => {
      const space = key.indexOf(' ');
      return { channel: Number(key.slice(0, space)), name: key.slice(space + 1) };
    });
    const { rows } = await this.kernel.database.pool.query<{ key: string; topics: NamedTopic[] }>({
      name: 'topics-by-name',
      text: `SELECT t.channel_id || ' ' || t.name_key AS key,
          jsonb_agg(jsonb_build_object('id', t.topic_id, 'name', t.name) ORDER BY t.topic_id) AS topics
        FROM unnest($2::int8[], $3::text[]) AS k(channel_id, name_key)
        JOIN view.topics AS t ON t.realm_id = $1 AND t.channel_id = k.channel_id AND t.name_key = k.name_key
        GROUP BY t.channel_id, t.name_key`,
      values: [realmId, pairs.map(({ channel }) => channel), pairs.map(({ name }) => name)],
    });
    return new Map(rows.map((row) => [row.key, row.topics]));
  }

  private async loadPlaces(realmId: RealmId, ids: readonly string[]): Promise<Map<string, TopicPlace>> {
    const { rows } = await this.kernel.database.pool.query<TopicPlace & { id: TopicId }>({
      name: 'topics-by-id',
      text: `SELECT t.topic_id AS id, t.channel_id AS "channelId", t.name, t.was_moved AS "wasMoved",
          coalesce((SELECT max(y.until) FROM view.topic_stays AS y
            WHERE y.realm_id = $1 AND y.topic_id = t.topic_id), 0) AS "cameFromChannelAt"
        FROM view.topics AS t WHERE t.realm_id = $1 AND t.topic_id = ANY($2::int8[])`,
      values: [realmId, ids],
    });
    return new Map(rows.map(({ id, ...place }) => [String(id), place]));
  }
}

const touchedPlaces = (event: Recorded): readonly TopicId[] => (isAboutTopic(event) ? [event.data.topicId] : []);

const TOPIC_EVENTS: readonly string[] = [TopicStarted.type, TopicMoved.type, TopicEnded.type];

const isAboutTopic = (event: Recorded): event is Recorded<TopicStarted | TopicMoved | TopicEnded> =>
  TOPIC_EVENTS.includes(event.type);

const keyOf = (channel: ChannelId, name: string): string => `${channel} ${topicKey(name)}`;

function touched(event: Recorded): readonly string[] | 'all' {
  switch (event.type) {
    case 'messages.TopicStarted': {
      const { data, sealed } = event as Recorded<TopicStarted>;
      return sealed === 'erased' ? 'all' : [keyOf(data.channelId, sealed.name)];
    }
    case 'messages.TopicMoved': {
      const { data, sealed } = event as Recorded<TopicMoved>;
      if (sealed === 'erased') return 'all';
      return [keyOf(data.from, sealed.previousName), keyOf(data.to, sealed.name)];
    }
    case 'messages.TopicEnded': {
      const { data, sealed } = event as Recorded<TopicEnded>;
      return sealed === 'erased' ? 'all' : [keyOf(data.channelId, sealed.name)];
    }
    default:
      return [];
  }
}
