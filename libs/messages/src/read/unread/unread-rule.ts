import type { MessageId } from '@annals/kernel/domain';
import type { ReadState } from '../flags/read-states';

/** What decides whether messages are unread for a user who can see them. */
export interface UnreadFacts {
  readonly state: ReadState;
  /** Whether the user received a message as a subscriber, or in a conversation. */
  readonly isReceived: (id: MessageId) => boolean;
  /** Whether a message was read when it arrived: the user sent or caused it, or had muted its sender. */
  readonly wasRead: (id: MessageId) => boolean;
  /** Whether the user has not lost access to a message since a position. */
  readonly isRetained: (id: MessageId, since: number) => boolean;
}

/** Whether a message is unread: the rule of decision 41 for one message and one user. */
export function isUnread(id: MessageId, { state, isReceived, wasRead, isRetained }: UnreadFacts): boolean {
  if (state.isMarkedRead(id)) return false;
  const markedAt = state.markedUnreadAt(id);
  if (markedAt !== undefined && isRetained(id, markedAt)) return true;
  return isReceived(id) && !wasRead(id) && isRetained(id, id);
}
