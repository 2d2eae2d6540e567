import { systemActor } from '@annals/kernel';
import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { ApiKeys, UserFacts, grantKey } from '@annals/users';

/**
 * Issues a new API key for an account by its email, when the old one was lost and there is no password. It is recorded
 * in the log (contract/boot.md section 2.2). The account counts as joined when the key is used.
 *
 * @returns the key, which is shown only now. Undefined when no account has this email
 * @throws Rejected when the account is deactivated, or belongs to the system
 */
export async function issueKeyFor(kernel: Kernel, realmId: RealmId, email: string): Promise<string | undefined> {
  const userId = await new UserFacts(kernel).idByEmail(realmId, email);
  if (userId === undefined) return undefined;
  const keys = new ApiKeys(kernel);
  const key = keys.random();
  await kernel.work.run(systemActor(realmId), (work) => keys.issue(work, userId, key, grantKey));
  return key;
}
