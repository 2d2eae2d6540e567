import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';

/** The drafts that the server keeps of users; a context that knows drafts provides it. */
export abstract class SynchronizedDrafts {
  /** Discards the drafts of users who turned off their synchronization, in the same append. */
  abstract discard(work: Work, userIds: readonly UserId[]): Promise<void>;
}
