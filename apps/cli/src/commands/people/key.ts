import type { Kernel } from '@annals/kernel';
import { issueKeyFor } from '@annals/onboarding';

/**
 * `annals key`: issues a new API key for the account with this email and prints it. It is shown only now. Earlier keys
 * remain valid, up to the usual number.
 *
 * @returns 0, or 1 when there is no such account
 */
export async function issueNewKey(kernel: Kernel, email: string, print: (line: string) => void): Promise<number> {
  const key = await issueKeyFor(kernel, email);
  print(key ?? `No account has the email address ${email}.`);
  return key === undefined ? 1 : 0;
}
