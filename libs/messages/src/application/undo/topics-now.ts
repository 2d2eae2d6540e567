import type { Work } from '@annals/kernel';
import type { TopicId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { Topic } from '../../domain/topic';
import { topicAggregate } from '../../domain/topic';
import { readRestoredTopics } from '../../read/history/restored-topics';

/** Topics of an earlier act as they are now. Where one ended, the topics that restorations started in its place. */
export class TopicsNow {
  private constructor(private readonly topics: ReadonlyMap<TopicId, readonly Topic[]>) {}

  /** Reads them. The append depends on them. */
  static async read(work: Work, pool: Pool, ids: readonly TopicId[]): Promise<TopicsNow> {
    const unique = [...new Set(ids)];
    const found = await work.readAll(topicAggregate, unique);
    const topics = new Map(unique.map((id, n) => [id, [found[n] ?? []].flat()] as const));
    const ended = unique.filter((_, n) => !found[n]);
    const restored = await readRestoredTopics(pool, work.realmId, ended);
    if (restored.length === 0) return new TopicsNow(topics);
    // A restored topic may have ended, too.
    const later = await TopicsNow.read(
      work,
      pool,
      restored.map(({ topicId }) => topicId),
    );
    for (const id of ended) {
      const instead = restored.filter(({ endedId }) => endedId === id);
      topics.set(
        id,
        instead.flatMap(({ topicId }) => later.of(topicId)),
      );
    }
    return new TopicsNow(topics);
  }

  /** The topic, or those in its place; none if all ended. */
  of(id: TopicId): readonly Topic[] {
    return this.topics.get(id) ?? [];
  }
}
