import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';

/** Messages about people who join. They are part of the append that opens the account. */
export abstract class NewcomerNotices {
  /** @param person.fullName as the request has it */
  abstract joined(work: Work, person: { readonly userId: UserId; readonly fullName: string }): Promise<void>;
}
