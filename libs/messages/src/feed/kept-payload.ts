import type { Audience, ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import type { Gone, Reached } from '../read/reached';

/** When messages came to a channel that shows people only what came to them, and who has any of them. */
export interface Kept {
  readonly holders: Audience;
  readonly arrived: ReadonlyMap<MessageId, Position>;
}

/** What is known of messages that one fact changed; both parts null where history is shared. */
export interface KeptHistory {
  /** Where messages are after the fact. */
  readonly channelId: ChannelId;
  /** In that channel. */
  readonly after: Kept | null;
  /** In the one they left for another. */
  readonly before: Kept | null;
}

/** A message that a client event tells of. */
export interface KeptPayload {
  readonly messageId: MessageId;
  /**
   * Where the message was in a channel with protected history: when it had come there. Left out where history is shared.
   */
  readonly arrived?: Position;
  readonly channelId?: ChannelId;
}

/** What tells later, when the event is delivered, whom the message had reached. */
export function keptOf(
  messageId: MessageId,
  history: KeptHistory | undefined,
): Pick<KeptPayload, 'arrived' | 'channelId'> {
  const arrived = history?.after?.arrived.get(messageId);
  return history === undefined || arrived === undefined ? {} : { arrived, channelId: history.channelId };
}

/** What `readReached` has to be asked for a payload: nothing where history is shared. */
export const askedOf = ({ messageId, channelId, arrived }: KeptPayload): Gone[] =>
  channelId === undefined || arrived === undefined ? [] : [{ messageIds: [messageId], channelId, arrived: [arrived] }];

/** What did not reach somebody in a channel with protected history is none of theirs. */
export const hasReached = (
  { messageId: id, channelId, arrived }: KeptPayload,
  reached: Reached,
  user: UserId,
): boolean => channelId === undefined || arrived === undefined || reached(user, { id, channelId, arrived });
