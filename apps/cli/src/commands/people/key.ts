import { issueKeyFor } from '@annals/onboarding';
import { realmNamed } from '../organizations/named';
import type { AccountChoice, OperatorRun } from './account-choice';

/**
 * `annals key`: issues a new API key for the account with this email and prints it. It is shown only now. Earlier keys
 * remain valid, up to the usual number.
 *
 * @returns 0, or 1 when there is no such account
 * @throws Error when there is no such organization
 */
export async function issueNewKey(
  { print, ...opened }: OperatorRun,
  { email, organization }: AccountChoice,
): Promise<number> {
  const key = await issueKeyFor(opened.kernel, await realmNamed(opened, organization), email);
  print(key ?? `No account has the email address ${email}.`);
  return key === undefined ? 1 : 0;
}
