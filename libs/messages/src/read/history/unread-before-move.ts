import type { FeedReader } from '@annals/kernel';
import type { Position, Recorded, UserId } from '@annals/kernel/domain';
import type { MessagesMoved, TopicMoved } from '../../domain/events';
import { readMovedIds } from './moved-messages';
import { readReadStates } from '../flags/read-states';
import { readOnArrival } from './messages-read-on-arrival';
import { readTimeline } from './timeline/timeline';
import type { UnreadLists } from './unread-before';
import { movedTogether, unreadBefore } from './unread-before';

/**
 * Reads, by the positions of moves, what users had unread of the moved messages right before, deleted messages included.
 * Each message is read once, however often it was moved.
 *
 * @param moves in order
 */
export async function readUnreadBeforeMoves(
  reader: FeedReader,
  moves: readonly Recorded<TopicMoved | MessagesMoved>[],
  users: readonly UserId[],
): Promise<ReadonlyMap<Position, UnreadLists>> {
  if (moves.length === 0) return new Map();
  const { client, realmId } = reader;
  const movedIds = await readMovedIds(reader, moves);
  const lists = [...new Set(movedIds.values())];
  const ids = lists.length === 1 ? (lists[0] ?? []) : [...new Set(lists.flat())];
  const timeline = await readTimeline(client, realmId, ids, users);
  const reading = {
    states: await readReadStates(client, realmId, ids, users),
    readOnArrival: await readOnArrival(client, realmId, ids, users),
  };
  const groups = new Map(lists.map((list) => [list, movedTogether(timeline, list)]));
  return new Map(
    [...movedIds].map(([position, list]) => [
      position,
      unreadBefore(position, timeline, groups.get(list) ?? [], reading),
    ]),
  );
}
