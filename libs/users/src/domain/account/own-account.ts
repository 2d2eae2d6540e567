import type { Verdict } from '@annals/kernel/domain';
import { ensure, fact } from '@annals/kernel/domain';
import type { Account, AccountChange } from './account';
import { known } from './account';
import type { EmailRules } from '../email/email';
import { changeEmail } from '../email/email';
import { FullNameChanged } from '../events';
import { checkedFullName } from './names';
import { reject } from '../rejections';

/** The requested name and email of the own account. */
export interface OwnAccountPatch {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * Changes one's own name and address, both or none (contract/users.md section 7).
 *
 * @throws Rejected for the first part that is refused; also where the organization leaves these to its administrators
 */
export function changeOwnAccount(
  state: Account | null,
  wish: OwnAccountPatch,
  rules: {
    readonly nameTaken: boolean;
    readonly address: EmailRules;
    readonly mayRename: Verdict;
    readonly mayChangeAddress: Verdict;
  },
): AccountChange[] {
  const account = known(state);
  const facts: AccountChange[] = [];
  if (wish.fullName !== undefined && wish.fullName.trim() !== account.fullName) {
    ensure(rules.mayRename);
    const fullName = checkedFullName(wish.fullName);
    if (rules.nameTaken) throw reject.nameTaken();
    facts.push(fact(FullNameChanged, { userId: account.userId }, { fullName }));
  }
  if (wish.email === undefined || wish.email === account.email) return facts;
  ensure(rules.mayChangeAddress);
  return [...facts, ...changeEmail(account, wish.email, rules.address)];
}
