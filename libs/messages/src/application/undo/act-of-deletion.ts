import type { TrailRange, Work } from '@annals/kernel';
import { EventTrail, Kernel, cannotBeUndone } from '@annals/kernel';
import type { MessageId, Recorded, TopicId } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ContentEdited, MessageSent, MessagesDeleted, Place } from '../../domain/events';
import { MessagesDeleted as Deleted } from '../../domain/events';
import { messageAggregate } from '../../domain/message/message';
import type { DeletedMessage } from '../../domain/restoration';
import { hasText } from '../../domain/restoration';
import { topicAggregate } from '../../domain/topic';
import { readPlacements } from '../../read/history/timeline/placements';
import { readDeleted } from '../../read/upkeep/restorable';

/** A deleted message with the place from which it was deleted. */
export interface Restorable extends DeletedMessage {
  readonly place: Place;
}

/** A deletion that was carried out, with what became of its messages. */
export interface ActOfDeletion {
  /** From where it deleted each of its messages. */
  readonly placeOf: ReadonlyMap<MessageId, Place>;
  readonly restorable: readonly Restorable[];
  /** Messages that are there again, or were deleted again. */
  readonly changed: readonly MessageId[];
  readonly erased: readonly MessageId[];
}

/** Most messages that are restored in one append. */
const MOST_MESSAGES = 5_000;
const PAGE = 100;
/** Positions of which a request may have some: a request that deletes a topic makes many appends. */
const REACH = 1_000_000;

/** Finds out what a deletion did and what became of it. */
@Injectable()
export class ActsOfDeletions {
  constructor(private readonly kernel: Kernel) {}

  /**
   * All messages that the same request deleted. The append depends on their topics.
   *
   * @throws Rejected CANNOT_BE_UNDONE when they are too many
   */
  async of(work: Work, event: Recorded): Promise<ActOfDeletion> {
    const deletions = await this.ofRequest(event);
    const placeOf = new Map(deletions.flatMap(({ data }) => data.messageIds.map((id) => [id, data.place] as const)));
    const deletedAt = new Map(
      deletions.flatMap(({ data, position }) => data.messageIds.map((id) => [id, position] as const)),
    );
    const ids = ascending(placeOf.keys());
    if (ids.length > MOST_MESSAGES) throw cannotBeUndone('too_large');
    await work.readAll(topicAggregate, [...new Set(deletions.flatMap(({ data }) => topicOf(data.place) ?? []))]);
    const found = await this.read(work, ids);
    const still = found.filter(({ id, deletedAt: at }) => at === deletedAt.get(id));
    const present = new Set(still.map(({ id }) => id));
    return {
      placeOf,
      restorable: still.filter(hasText).map((one) => ({ ...one, place: placeOf.get(one.id) as Place })),
      changed: ids.filter((id) => !present.has(id)),
      erased: still.filter((one) => !hasText(one)).map(({ id }) => id),
    };
  }

  private async ofRequest(event: Recorded): Promise<Recorded<MessagesDeleted>[]> {
    const trail = new EventTrail(this.kernel);
    const { realmId, position, correlation } = event;
    const head = (await this.kernel.events.heads([realmId])).get(realmId) ?? position;
    const filter = { requestId: correlation, types: [Deleted.type] };
    const found: Recorded[] = [];
    const around = { after: Math.max(0, position - REACH), upTo: Math.min(head, position + REACH) };
    for (let span: TrailRange | null = around; span;) {
      const page = await trail.page(realmId, { filter, span, order: 'oldest', limit: PAGE });
      found.push(...page.events.map((one) => one.event));
      span = page.rest;
    }
    return found as Recorded<MessagesDeleted>[];
  }

  private async read({ realmId }: Work, ids: readonly MessageId[]): Promise<DeletedMessage[]> {
    const { pool } = this.kernel.database;
    const rows = await readDeleted(pool, realmId, ids);
    const streams = await this.kernel.events.streams(
      realmId,
      rows.map(({ id }) => messageAggregate.stream(id)),
    );
    const inChannels = rows.flatMap(({ id, topicId }) => (topicId === null ? [] : id));
    const placements = await readPlacements(pool, realmId, inChannels);
    return rows.map(({ id, deletedAt, wasMoved }) => {
      const texts = (streams.get(messageAggregate.stream(id)) ?? []) as Recorded<MessageSent | ContentEdited>[];
      const [sent, text] = [texts[0], texts.at(-1)];
      if (!sent || !text) throw new Error(`message ${id} was never sent`);
      const arrived = placements.arrivedAt(id, Number.MAX_SAFE_INTEGER);
      return { id, deletedAt, wasMoved, sent: sent as Recorded<MessageSent>, text, arrived };
    });
  }
}

export const topicOf = (place: Place): TopicId | null => ('topicId' in place ? place.topicId : null);
