import { grantTo } from '@annals/onboarding';
import type { SpecialPermissions } from '@annals/users';
import { realmNamed } from '../organizations/named';
import type { AccountChoice, OperatorRun } from './account-choice';

/** The special permissions by their names on the wire. */
export const PERMISSIONS: Readonly<Record<string, keyof SpecialPermissions>> = {
  can_create_users: 'canCreateUsers',
  can_change_user_emails: 'canChangeUserEmails',
};

/**
 * `annals grant` and `annals revoke`: gives a special permission to the account with this email, or removes it. May be
 * repeated.
 *
 * @param name one of `PERMISSIONS`
 * @returns 0, or 1 when there is no such account
 * @throws Error when there is no such organization
 */
export async function setPermission(
  { print, ...opened }: OperatorRun,
  { name, given, email, organization }: AccountChoice & { readonly name: string; readonly given: boolean },
): Promise<number> {
  const permission = PERMISSIONS[name];
  if (permission === undefined) throw new Error(`There is no permission ${name}`);
  const realmId = await realmNamed(opened, organization);
  const isThere = await grantTo(opened.kernel, realmId, email, { [permission]: given });
  print(
    isThere ? `${email} ${given ? 'has' : 'does not have'} ${name}.` : `No account has the email address ${email}.`,
  );
  return isThere ? 0 : 1;
}
