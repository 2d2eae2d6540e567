import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';

/** Changes the messages of users who are muted; a context that knows messages provides it. */
export abstract class MutedMessages {
  /** Marks what the actor has unread of a user as read, in the same append. */
  abstract markRead(work: Work, sender: UserId): Promise<void>;
}
