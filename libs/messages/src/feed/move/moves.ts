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
import { ascending } from '@annals/kernel/domain';
import type { ContentEdited, PropagateMode } from '../../domain/events';
import type { MoveEvent } from '../../domain/move/move-event';
import type { ProtectedMessages } from './protected-history';
import { intersection, recipientsAudience, membersOf, subscribersAndReadersAmong } from '../audiences';
import type { DeletedPayload } from '../deletions.feed';
import type { MovedMessages } from '../../read/history/moved-messages';
import type { ActivityFacts } from './message-activity';

/** Facts about changed messages, by the positions of their events. */
export interface ChangeFacts extends ActivityFacts {
  readonly moved: ReadonlyMap<Position, MovedMessages>;
}

/** Payload of `update_message` events: the events that they report. Names and texts are read at delivery. */
export interface ChangedPayload {
  readonly messageId: MessageId;
  /** Position of the event that replaced the text. */
  readonly edited: Position | null;
  readonly moved: MovedPayload | null;
  /** Whether the message is in a channel with protected history after it. */
  readonly keepsHistory: boolean;
  /** When something was noted that changes only the HTML of the text. Left out for other changes. */
  readonly renderedAt?: Instant;
}

export interface MovedPayload {
  /** Ascending; the requested message is among them. */
  readonly messageIds: readonly MessageId[];
  readonly mode: PropagateMode;
  readonly from: { readonly channelId: ChannelId; readonly topicId: TopicId };
  readonly to: { readonly channelId: ChannelId; readonly topicId: TopicId };
  /** Of the event that moved the message. */
  readonly position: Position;
  readonly by: UserId | null;
  readonly at: Instant;
}

/** The client events of moved messages (contract/messages.md sections 5.3 and 5.6). */
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
  const readers = protectedHoldersOf(histories.map(({ after }) => after)) ?? { kind: 'content', channel: to.channelId };
  const holders = protectedHoldersOf(histories.map(({ before }) => before));
  // Users who lost the messages by an earlier move are recipients too, but could not read them here.
  const before =
    holders ?? subscribersAndReadersAmong(from.channelId, { kind: 'any', of: parts.map(recipientsAudience) });
  // Users who could not read the messages in the old place get no event, since it reveals their past: they find them when they
  // fetch. The same holds for guests, and for all users where messages come from a channel with protected history.
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
  return ascending(new Set([messageId, ...parts.flatMap((part) => part.messageIds)]));
}

/**
 * The edit is reported to users who have the edited message, the move to users who have any of the messages.
 *
 * @param edited the protected history of the edited message, where its channel has one
 */
function updatedEvents(
  payload: ChangedPayload,
  audience: Audience,
  edited: ProtectedMessages | null | undefined,
): [ClientEvent, ...ClientEvent[]] {
  const updated = (to: Audience, reported: ChangedPayload): ClientEvent => {
    return { type: 'update_message', audience: to, payload: { ...reported } };
  };
  if (!edited) return [updated(audience, payload)];
  const others: Audience = { kind: 'but', these: audience, not: edited.holders };
  return [updated(intersection(audience, edited.holders), payload), updated(others, { ...payload, edited: null })];
}

/** Users who have any of the messages, where all of them are in protected history; otherwise null. */
function protectedHoldersOf(kept: readonly (ProtectedMessages | null)[]): Audience | null {
  const of = kept.flatMap((one) => one?.holders ?? []);
  return of.length > 0 && of.length === kept.length ? { kind: 'any', of } : null;
}

/** The deletion event for users who could read the messages in the old place and cannot in the new one. */
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
