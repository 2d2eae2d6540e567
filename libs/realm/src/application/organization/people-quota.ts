import type { Work } from '@annals/kernel';

/**
 * How many people the operator allows in the organization (`annals organizations limits`). Every command that makes an
 * account of a person usable asks it. The context of accounts provides it.
 */
export abstract class PeopleQuota {
  /**
   * Requires that there is room for another person when the append is stored, however many are added at the same time.
   *
   * @throws Rejected BAD_REQUEST
   */
  abstract ensureRoom(work: Work): Promise<void>;
}
