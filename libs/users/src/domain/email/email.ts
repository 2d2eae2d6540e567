import type { UserId, Verdict } from '@annals/kernel/domain';
import { ensure, fact } from '@annals/kernel/domain';
import { AddressChanged } from '../events';
import { emailKey } from '../account/names';
import { reject } from '../rejections';

/** Who is to have another address. */
interface EmailHolder {
  readonly userId: UserId;
  /** Null once it was erased. */
  readonly email: string | null;
}

/** What the organization says about an address that an account is to have. */
export interface EmailRules {
  readonly address: Verdict;
  /** By another account; the append must guard it. */
  readonly taken: boolean;
}

/** Whether another address is wished than the account has, written alike or not. */
export const claimsEmail = (account: Pick<EmailHolder, 'email'>, wished: string | undefined): wished is string =>
  wished !== undefined && (account.email === null || emailKey(wished) !== emailKey(account.email));

/**
 * Gives an account another address; the same one is no change.
 *
 * @throws Rejected BAD_REQUEST for an address that is unwanted or in use
 */
export function changeEmail(account: EmailHolder, email: string, { address, taken }: EmailRules): AddressChanged[] {
  if (email === account.email) return [];
  ensure(address);
  if (taken) throw reject.emailTaken();
  return [fact(AddressChanged, { userId: account.userId }, { email })];
}
