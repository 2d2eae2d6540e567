import type { UserId, Verdict } from '@annals/kernel/domain';
import { ensure, fact } from '@annals/kernel/domain';
import { AddressChanged } from '../events';
import { emailKey } from '../account/names';
import { reject } from '../rejections';

/**
 * Whether an email has a part before the `@` as every mail server takes it: in ASCII and without quotes. Letters of other alphabets look
 * like Latin ones, and quotes may contain another email.
 */
export const hasPlainLocalPart = (email: string): boolean =>
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[^@]+$/.test(email);

/** The account that gets a new email. */
interface EmailHolder {
  readonly userId: UserId;
  /** Null once it was erased. */
  readonly email: string | null;
}

/** The rules of the organization for a new email. */
export interface EmailRules {
  readonly address: Verdict;
  /** Whether another account has it. The append must guard that. */
  readonly taken: boolean;
}

/** Whether the requested email differs from the present one in more than letter case. */
export const claimsEmail = (account: Pick<EmailHolder, 'email'>, requested: string | undefined): requested is string =>
  requested !== undefined && (account.email === null || emailKey(requested) !== emailKey(account.email));

/**
 * Changes the email of an account. The same one is no change.
 *
 * @throws Rejected BAD_REQUEST for an email that is not allowed or in use
 */
export function changeEmail(account: EmailHolder, email: string, { address, taken }: EmailRules): AddressChanged[] {
  if (email === account.email) return [];
  ensure(address);
  if (taken) throw reject.emailTaken();
  return [fact(AddressChanged, { userId: account.userId }, { email })];
}
