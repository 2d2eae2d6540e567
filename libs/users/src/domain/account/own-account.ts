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
 * Changes one's own name and email, both or none (contract/users.md section 7).
 *
 * @throws Rejected for the first part that is refused, also if only administrators may change these
 */
export function changeOwnAccount(
  state: Account | null,
  input: OwnAccountPatch,
  rules: {
    readonly nameTaken: boolean;
    readonly address: EmailRules;
    readonly mayRename: Verdict;
    readonly mayChangeEmail: Verdict;
  },
): AccountChange[] {
  const account = known(state);
  const facts: AccountChange[] = [];
  if (input.fullName !== undefined && input.fullName.trim() !== account.fullName) {
    ensure(rules.mayRename);
    const fullName = checkedFullName(input.fullName);
    if (rules.nameTaken) throw reject.nameTaken();
    facts.push(fact(FullNameChanged, { userId: account.userId }, { fullName }));
  }
  if (input.email === undefined || input.email === account.email) return facts;
  ensure(rules.mayChangeEmail);
  return [...facts, ...changeEmail(account, input.email, rules.address)];
}
