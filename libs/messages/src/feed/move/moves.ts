import type {
  Audience,
  ChannelId,
  ClientEvent,
  Instant,
  MessageId,
  Position,
  Recorded,
  TopicId,
  UserId,
} from '@annals/kernel/domain';
import type { ContentEdited, PropagateMode } from '../../domain/events';
import { MessagesMoved, TopicMoved } from '../../domain/events';
import type { ProtectedMessages } from './protected-history';
import { intersection, recipientsAudience, membersOf, subscribersAndReadersAmong } from '../audiences';
import type { DeletedPayload } from '../deletions.feed';
import type { MovedMessages } from '../../read/history/moved-messages';
import type { ActivityFacts } from './message-activity';

export type MoveEvent = Recorded<TopicMoved> | Recorded<MessagesMoved>;

export const isMove = (event: Recorded): event is MoveEvent =>
  event.type === TopicMoved.type || event.type === MessagesMoved.type;

/** What must be known of changed messages beside the events; of texts and moves, by the positions of the facts. */
export interface ChangeFacts extends ActivityFacts {
  readonly moved: ReadonlyMap<Position, MovedMessages>;
}

/** What `update_message` events carry: which facts of the log they tell of. Names and texts are read when it is delivered. */
export interface ChangedPayload {
  readonly messageId: MessageId;
  /** Position of the fact that replaced the text. */
  readonly edited: Position | null;
  readonly moved: MovedPayload | null;
  /** Whether the message is then in a channel with protected history. */
  readonly keepsHistory: boolean;
}

export interface MovedPayload {
  /** Ascending; the message itself is among them. */
  readonly messageIds: readonly MessageId[];
  readonly mode: PropagateMode;
  readonly from: { readonly channelId: ChannelId; readonly topicId: TopicId };
  readonly to: { readonly channelId: ChannelId; readonly topicId: TopicId };
  /** Of the fact that moved the message. */
  readonly position: Position;
  readonly by: UserId | null;
  readonly at: Instant;
}

/** What clients hear of messages that went from one place to another (contract/messages.md sections 5.3 and 5.6). */
export function movedEvents(
  moves: readonly MoveEvent[],
  edit: Recorded<ContentEdited> | null,
  { moved, kept }: ChangeFacts,
): ClientEvent[] {
  const parts = moves.map((move) => ({ move, ...(moved.get(move.position) ?? NOTHING_MOVED) }));
  const [first] = parts;
  if (!first) return [];
  const { messageId, mode } = first.move.data;
  const { move } = parts.find(({ messageIds }) => messageIds.includes(messageId)) ?? first;
  const messageIds = together(messageId, parts);
  const { from, to } = wayOf(move);
  const way: MovedPayload = { messageIds, mode, from, to, position: move.position, by: move.actorId, at: move.at };
  const histories = moves.flatMap(({ position }) => kept.get(position) ?? []);
  const keepsHistory = histories.some(({ after }) => after !== null);
  const payload: ChangedPayload = { messageId, edited: edit?.position ?? null, moved: way, keepsHistory };
  const readers = keepersOf(histories.map(({ after }) => after)) ?? { kind: 'content', channel: to.channelId };
  const holders = keepersOf(histories.map(({ before }) => before));
  // Whose copy a move took away that was before is among those who received the messages, and could not read them there.
  const before =
    holders ?? subscribersAndReadersAmong(from.channelId, { kind: 'any', of: parts.map(recipientsAudience) });
  // Who could not read the messages where they were comes by them by asking: to be told of the move is to be told of
  // their past. So do guests, and everybody where messages come from a channel with protected history.
  const there: Audience = { kind: 'but', these: membersOf(to.channelId), not: { kind: 'guests' } };
  const known: Audience = { kind: 'content', channel: from.channelId };
  const receivers: Audience = holders ?? intersection({ kind: 'any', of: [before, there] }, known);
  const updated = updatedEvents(payload, intersection(receivers, readers), edit && kept.get(edit.position)?.after);
  if (from.channelId === to.channelId) return updated;
  const arrived = new Map(histories.flatMap((history) => [...(history.before?.arrived ?? [])]));
  return [
    ...updated,
    lostEvent(way, intersection(before, { kind: 'content', channel: from.channelId }), readers, arrived),
  ];
}

const NOTHING_MOVED: MovedMessages = { messageIds: [], users: [], sentTo: new Map() };

/** Most moves are of one topic, which may be large and moved often. */
function together(messageId: MessageId, parts: readonly MovedMessages[]): readonly MessageId[] {
  const [only, ...more] = parts;
  if (only && more.length === 0 && only.messageIds.includes(messageId)) return only.messageIds;
  return [...new Set([messageId, ...parts.flatMap((part) => part.messageIds)])].sort((a, b) => a - b);
}

/**
 * A text is told to those who have the message that it is of, the move to all who have any of the messages.
 *
 * @param edited of the message with the text, where its channel keeps its history
 */
function updatedEvents(
  payload: ChangedPayload,
  audience: Audience,
  edited: ProtectedMessages | null | undefined,
): [ClientEvent, ...ClientEvent[]] {
  const updated = (to: Audience, told: ChangedPayload): ClientEvent => {
    return { type: 'update_message', audience: to, payload: { ...told } };
  };
  if (!edited) return [updated(audience, payload)];
  const others: Audience = { kind: 'but', these: audience, not: edited.holders };
  return [updated(intersection(audience, edited.holders), payload), updated(others, { ...payload, edited: null })];
}

/** Who has any of the messages, where each of these keeps its history; null where one does not. */
function keepersOf(kept: readonly (ProtectedMessages | null)[]): Audience | null {
  const of = kept.flatMap((one) => one?.holders ?? []);
  return of.length > 0 && of.length === kept.length ? { kind: 'any', of } : null;
}

/** Who could read the messages where they were, and cannot where they are, loses them. */
function lostEvent(
  { messageIds, from, position }: MovedPayload,
  before: Audience,
  readers: Audience,
  arrivals: ReadonlyMap<MessageId, Position>,
): ClientEvent {
  const payload: DeletedPayload = {
    messageIds,
    ...from,
    at: (position - 1) as Position,
    ...(arrivals.size > 0 && { arrived: messageIds.map((id) => arrivals.get(id) ?? (id as number as Position)) }),
  };
  return { type: 'delete_message', audience: { kind: 'but', these: before, not: readers }, payload: { ...payload } };
}

export function wayOf(move: MoveEvent): Pick<MovedPayload, 'from' | 'to'> {
  if (move.type === 'messages.MessagesMoved') return { from: move.data.from, to: move.data.to };
  const { topicId, from, to } = move.data;
  return { from: { channelId: from, topicId }, to: { channelId: to, topicId } };
}
