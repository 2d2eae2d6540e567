import { fact } from '@annals/kernel/domain';
import type { Account } from '../account/account';
import { known } from '../account/account';
import { SpecialPermissionsChanged } from '../events';

/** The permissions of an account that no role includes (contract/permissions.md section 1). */
export interface SpecialPermissions {
  readonly canCreateUsers: boolean;
  readonly canChangeUserEmails: boolean;
}

/** Gives or removes special permissions; unnamed ones do not change (contract/permissions.md section 1). */
export function changePermissions(
  state: Account | null,
  input: Partial<SpecialPermissions>,
): SpecialPermissionsChanged[] {
  const account = known(state);
  const { canCreateUsers, canChangeUserEmails } = account;
  const next = { canCreateUsers, canChangeUserEmails, ...input };
  const isSame = next.canCreateUsers === canCreateUsers && next.canChangeUserEmails === canChangeUserEmails;
  return isSame ? [] : [fact(SpecialPermissionsChanged, { userId: account.userId, ...next })];
}
