import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';

/**
 * Ends what must not outlive the keys of an account. Accounts do not know what that is, so a context that does provides
 * this.
 */
export abstract class KeyEndings {
  /** All keys of the account end with this unit of work, and others may follow. */
  abstract ended(work: Work, userId: UserId): Promise<void>;

  /** The profile of the account is deleted with this unit of work, and its secrets are deleted too. */
  abstract profileDeleted(work: Work, userId: UserId): Promise<void>;
}
