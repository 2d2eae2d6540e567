import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { ChannelId, RealmId, Recorded, TopicId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { TopicEnded, TopicMoved, TopicStarted } from '../../domain/events';
import { topicKey } from '../../domain/topic';

/** A topic with its name in its own letter case. */
export interface NamedTopic {
  readonly id: TopicId;
  readonly name: string;
}

/** Topics by channel and name, cached in the process; exact for readers that have passed the fence. */
@Injectable()
export class TopicFacts {
  private readonly topics: FactCache<readonly NamedTopic[]>;

  constructor(private readonly kernel: Kernel) {
    this.topics = kernel.facts<readonly NamedTopic[]>({
      touched,
      load: (realmId, keys) => this.load(realmId, keys),
    });
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
}

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
