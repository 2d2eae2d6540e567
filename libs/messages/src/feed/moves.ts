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
import type { ContentEdited, MessagesMoved, PropagateMode, TopicMoved } from '../domain/events';
import { both, membersOf } from './audiences';
import type { DeletedPayload } from './deletions.feed';
import type { Moved } from '../read/moved-messages';
import type { Places } from '../read/places';

export type MoveEvent = Recorded<TopicMoved> | Recorded<MessagesMoved>;

/** What must be known of changed messages beside the events. */
export interface ChangeFacts {
  readonly places: Places;
  /** By position of an edit: who had reacted to the message without being subscribed. */
  readonly outsiders: ReadonlyMap<Position, readonly UserId[]>;
  /** By position of the fact that moved them. */
  readonly moved: ReadonlyMap<Position, Moved>;
  /** By position of a move into a channel with protected history: who knows of what came there. */
  readonly witnesses: ReadonlyMap<Position, readonly UserId[]>;
}

/** What `update_message` events carry: which facts of the log they tell of. Names and texts are read when it is delivered. */
export interface ChangedPayload {
  readonly messageId: MessageId;
  /** Position of the fact that replaced the text. */
  readonly edited: Position | null;
  readonly moved: MovedPayload | null;
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
  { moved, witnesses }: ChangeFacts,
): ClientEvent[] {
  const parts = moves.map((move) => ({ move, ...(moved.get(move.position) ?? { messageIds: [], concerned: [] }) }));
  const [first] = parts;
  if (!first) return [];
  const { messageId, mode } = first.move.data;
  const { move } = parts.find(({ messageIds }) => messageIds.includes(messageId)) ?? first;
  const messageIds = [...new Set([messageId, ...parts.flatMap((part) => part.messageIds)])].sort((a, b) => a - b);
  const { from, to } = wayOf(move);
  const payload: ChangedPayload = {
    messageId,
    edited: edit?.position ?? null,
    moved: { messageIds, mode, from, to, position: move.position, by: move.actorId, at: move.at },
  };
  const concerned: Audience = { kind: 'users', users: [...new Set(parts.flatMap((part) => part.concerned))] };
  const of = parts.map((part) => witnesses.get(part.move.position));
  const readers: Audience = of.every((users) => users !== undefined)
    ? { kind: 'users', users: [...new Set(of.flat())] }
    : { kind: 'content', channel: to.channelId };
  const before: Audience = { kind: 'any', of: [membersOf(from.channelId), concerned] };
  // Guests come by what their channels hold by asking, not by being told of what was brought there.
  const there: Audience = { kind: 'but', these: membersOf(to.channelId), not: { kind: 'guests' } };
  const receivers: Audience = { kind: 'any', of: [before, there] };
  const updated = { type: 'update_message', audience: both(receivers, readers), payload: { ...payload } };
  if (from.channelId === to.channelId) return [updated];
  return [updated, lostEvent(payload, both(before, { kind: 'content', channel: from.channelId }), readers)];
}

/** Who could read the messages where they were, and cannot where they are, loses them. */
function lostEvent({ moved }: ChangedPayload, before: Audience, readers: Audience): ClientEvent {
  const { messageIds = [], from, position } = moved ?? {};
  const at = (position ?? 0) - 1;
  const { channelId = null, topicId = null } = from ?? {};
  const payload: DeletedPayload = { messageIds, channelId, topicId, at: at as Position };
  return { type: 'delete_message', audience: { kind: 'but', these: before, not: readers }, payload: { ...payload } };
}

export function wayOf(move: MoveEvent): Pick<MovedPayload, 'from' | 'to'> {
  if (move.type === 'messages.MessagesMoved') return { from: move.data.from, to: move.data.to };
  const { topicId, from, to } = move.data;
  return { from: { channelId: from, topicId }, to: { channelId: to, topicId } };
}
