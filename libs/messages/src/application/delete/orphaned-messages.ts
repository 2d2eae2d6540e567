import { Conflict, Kernel, systemActor } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import { grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Deletable } from '../../domain/deletion';
import { orphanedAggregate, endOrder } from '../../domain/deletion';
import { topicAggregate } from '../../domain/topic';
import { newestOrphaned } from '../../read/upkeep/deletable';
import type { OrphanedOrder } from '../../read/upkeep/orphaned-orders';
import { Deletions } from './deletions';

/** Messages deleted in one append, as for a topic (contract/conventions.md section 7). */
const BATCH = 100;

/** Deletes the messages of deleted accounts whose owners asked for it (contract/users.md section 5). */
@Injectable()
export class OrphanedMessages {
  constructor(
    private readonly kernel: Kernel,
    private readonly deletions: Deletions,
  ) {}

  /**
   * Deletes newest first, in batches. A process that was stopped can be continued by any other. If several work at once, each
   * message is deleted by one of them.
   */
  async deleteAll(order: OrphanedOrder): Promise<void> {
    while (!(await this.deleteNewest(order)));
  }

  /** @returns whether no message was left */
  private deleteNewest(order: OrphanedOrder): Promise<boolean> {
    const { realmId, position, senderId } = order;
    return this.kernel.work.run(systemActor(realmId), async (work) => {
      const messages = await this.find(work, order);
      for (const those of byPlace(messages)) await this.deletions.apply(work, those);
      if (messages.length > 0) return false;
      await work.decide(orphanedAggregate, position, (state) => endOrder(state, senderId, position));
      return true;
    });
  }

  /** Topics are read before their messages, so that the append depends on the messages being where they were found. */
  private async find(work: Work, order: OrphanedOrder): Promise<Deletable[]> {
    const { pool } = this.kernel.database;
    const topics = topicsOf(await newestOrphaned(pool, order, BATCH));
    await work.readAll(topicAggregate, topics);
    const asked = new Set(topics);
    const messages = await newestOrphaned(pool, order, BATCH);
    if (topicsOf(messages).some((topic) => !asked.has(topic))) throw new Conflict('messages were moved meanwhile');
    return messages;
  }
}

const topicsOf = (messages: readonly Deletable[]) => [
  ...new Set(messages.flatMap(({ place }) => ('topicId' in place ? [place.topicId] : []))),
];

/** By conversation and channel. */
function byPlace(messages: readonly Deletable[]): Deletable[][] {
  const keyOf = ({ place }: Deletable) =>
    'topicId' in place ? `channel ${place.channelId}` : `conversation ${place.conversationId}`;
  return [...grouped(messages, keyOf).values()];
}
