import type { Instant, MessageId, Position, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { MessagesMoved, TopicMoved } from '../../domain/events';
import type { Interval } from './timeline/intervals';
import { FOREVER, intervalsOf, lastBy } from './timeline/intervals';
import { readOwnMoves } from './timeline/placements';
import type { TopicPlacement, TopicHistory, TopicRevisions } from './topic-history';
import { readTopicRevisions, topicHistoryOf } from './topic-history';

/** A move of a message from one place to another, by itself or with its topic. */
export interface PastMove {
  readonly position: Position;
  readonly at: Instant;
  readonly by: UserId | null;
  readonly commandId: string;
  readonly from: TopicPlacement;
  readonly to: TopicPlacement;
}

/** The named places where messages were. */
export interface PlaceHistory {
  /** Right after the event at a position; undefined before the message was sent. */
  at(message: MessageId, position: Position): TopicPlacement | undefined;
  /** Newest first. */
  moves(message: MessageId): readonly PastMove[];
}

const NEVER_MOVED: PlaceHistory = { at: () => undefined, moves: () => [] };

/**
 * Reads the named places where messages were.
 *
 * @param messages that were moved, or whose topics were, with their topics of now; of other messages nothing need be read
 */
export async function readPlaceHistory(
  client: Pool | ClientBase,
  realmId: RealmId,
  messages: readonly { readonly id: MessageId; readonly topicId: TopicId }[],
): Promise<PlaceHistory> {
  if (messages.length === 0) return NEVER_MOVED;
  const ids = messages.map(({ id }) => id);
  const ownMoves = await readOwnMoves(client, realmId, ids);
  const topics = new Map(
    messages.map(({ id, topicId }) => {
      return [id, intervalsOf([...(ownMoves.get(id) ?? []), { until: FOREVER, place: topicId }])];
    }),
  );
  const inTurn = [...topics.values()].flat();
  const acts = await readActs(client, realmId, [...new Set(inTurn.map(({ since }) => since))]);
  const revisions = await readTopicRevisions(
    client,
    realmId,
    inTurn.map(({ place }) => place),
  );
  const placeAt = topicHistoryOf(revisions);
  return {
    at: (message, position) => {
      const topic = position < (message as number) ? undefined : lastBy(topics.get(message), position)?.place;
      return topic && placeAt(topic, position);
    },
    moves: (message) =>
      [
        ...ownMovesOf(topics.get(message) ?? [], acts, placeAt),
        ...movesWithTopic(message, topics.get(message) ?? [], revisions),
      ].sort((a, b) => b.position - a.position),
  };
}

/** An event that moved messages from one topic to another. */
interface Act {
  readonly position: Position;
  readonly at: Instant;
  readonly by: UserId | null;
  readonly commandId: string;
}

/** Reads the events by which messages left a topic. Messages that only stayed behind as their topic moved did not move. */
async function readActs(
  client: Pool | ClientBase,
  realmId: RealmId,
  positions: readonly Position[],
): Promise<ReadonlyMap<Position, Act>> {
  if (positions.every((position) => position === 0)) return new Map();
  const { rows } = await client.query<Act & { type: MessagesMoved['type'] | TopicMoved['type'] }>({
    name: 'messages-move-events',
    text: `SELECT type, position, at, actor_id AS by, command_id AS "commandId" FROM events
      WHERE realm_id = $1 AND position = ANY($2::int8[])`,
    values: [realmId, positions],
  });
  const moves = rows.filter(({ type }) => type === 'messages.MessagesMoved');
  return new Map(moves.map(({ type: _, ...act }) => [act.position, act]));
}

/** Moves of a message by itself. */
function ownMovesOf(
  topics: readonly Interval<TopicId>[],
  acts: ReadonlyMap<Position, Act>,
  placeAt: TopicHistory,
): PastMove[] {
  return topics.flatMap(({ since, place }, n) => {
    const [act, left] = [acts.get(since), topics[n - 1]];
    const [from, to] = [left && placeAt(left.place, since), placeAt(place, since)];
    return act && from && to ? [{ ...act, from, to }] : [];
  });
}

/** Moves of a message with its topic, while the message was in it. */
function movesWithTopic(
  message: MessageId,
  topics: readonly Interval<TopicId>[],
  revisions: TopicRevisions,
): PastMove[] {
  return topics.flatMap(({ since, until, place }) => {
    const all = revisions.get(place) ?? [];
    return all.flatMap((to, n) => {
      const [{ position, at, by, commandId, isMove }, from] = [to, all[n - 1]];
      const isInTopic = position > Math.max(since, message) && position < until;
      return from && isMove && isInTopic ? [{ position, at, by, commandId, from, to }] : [];
    });
  });
}
