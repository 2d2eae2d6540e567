import { Conflict, Kernel, systemActor } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import { grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Deletable } from '../../domain/deletion';
import { disownedAggregate, endOrder } from '../../domain/deletion';
import { topicAggregate } from '../../domain/topic';
import { newestDisowned } from '../../read/upkeep/deletable';
import type { Disowned } from '../../read/upkeep/orphaned';
import { Deletions } from './deletions';

/** Messages that go at once, as many as of a topic that is deleted (contract/conventions.md section 7). */
const BATCH = 100;

/** Deletes what people who left wanted to be deleted of their messages (contract/users.md section 5). */
@Injectable()
export class DisownedMessages {
  constructor(
    private readonly kernel: Kernel,
    private readonly deletions: Deletions,
  ) {}

  /**
   * Newest first, a batch at a time. Ended anywhere it goes on where it was; of several who do so at once each message is
   * deleted by one.
   */
  async deleteAll(order: Disowned): Promise<void> {
    while (!(await this.deleteNewest(order)));
  }

  /** @returns whether nothing was left */
  private deleteNewest(order: Disowned): Promise<boolean> {
    const { realmId, position, senderId } = order;
    return this.kernel.work.run(systemActor(realmId), async (work) => {
      const messages = await this.find(work, order);
      for (const those of byPlace(messages)) await this.deletions.carryOut(work, those);
      if (messages.length > 0) return false;
      await work.decide(disownedAggregate, position, (isDone) => endOrder(isDone, senderId, position));
      return true;
    });
  }

  /** Topics are asked before what is in them, so that the append rests on the messages being where they were found. */
  private async find(work: Work, order: Disowned): Promise<Deletable[]> {
    const { pool } = this.kernel.database;
    const topics = topicsOf(await newestDisowned(pool, order, BATCH));
    await work.readAll(topicAggregate, topics);
    const asked = new Set(topics);
    const messages = await newestDisowned(pool, order, BATCH);
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
