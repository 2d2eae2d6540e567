import type { MessageId, TopicId } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';

/** What one event of a move moved. */
export interface MovedByEvent {
  readonly messageIds: readonly MessageId[];
  /**
   * The topics that have the channel and the name to which they moved: the topic in which they were then, or those that
   * took its place after it ended.
   */
  readonly topicIds: ReadonlySet<TopicId>;
}

/** The messages of a move: those that are where it brought them, and the others. Ascending. */
export interface RemainsOfMove {
  readonly inPlace: readonly MessageId[];
  readonly movedSince: readonly MessageId[];
  readonly deletedSince: readonly MessageId[];
}

/** Divides the messages of a move. @param topicOf the topics in which messages are now; deleted ones are left out */
export function remainsOfMove(moves: readonly MovedByEvent[], topicOf: ReadonlyMap<MessageId, TopicId>): RemainsOfMove {
  const [inPlace, movedSince, deletedSince]: [MessageId[], MessageId[], MessageId[]] = [[], [], []];
  for (const { messageIds, topicIds } of moves) {
    for (const id of messageIds) {
      const now = topicOf.get(id);
      if (now === undefined) deletedSince.push(id);
      else (topicIds.has(now) ? inPlace : movedSince).push(id);
    }
  }
  return {
    inPlace: ascending(inPlace),
    movedSince: ascending(movedSince),
    deletedSince: ascending(deletedSince),
  };
}
