import type { Verdict } from '@annals/kernel/domain';
import { ensure, fact } from '@annals/kernel/domain';
import type { Account } from './account';
import { known } from './account';
import { FullNameChanged } from '../events';
import { checkedFullName } from './names';
import { reject } from '../rejections';

/** The requested name and email of the own account. */
export interface OwnAccountPatch {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * Changes one's own name (contract/users.md section 7). The same one is no change.
 *
 * @throws Rejected for a name that is not allowed or in use, also if only administrators may change theirs
 */
export function renameOneself(
  state: Account | null,
  requested: string,
  rules: { readonly nameTaken: boolean; readonly mayRename: Verdict },
): FullNameChanged[] {
  const account = known(state);
  if (requested.trim() === account.fullName) return [];
  ensure(rules.mayRename);
  const fullName = checkedFullName(requested);
  if (rules.nameTaken) throw reject.nameTaken();
  return [fact(FullNameChanged, { userId: account.userId }, { fullName })];
}
