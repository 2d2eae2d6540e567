import { systemActor } from '@annals/kernel';
import type { Kernel } from '@annals/kernel';
import { ApiKeys, UserFacts, grantKey } from '@annals/users';
import { operatorsRealm } from './operator';

/**
 * Issues a new API key for an account by its address, for when the old one was lost and there is no password: an entry
 * in the log (contract/boot.md section 2.2). Whoever it is for counts as there once they use it.
 *
 * @returns the key, which is told this one time; undefined when no account has this address
 * @throws Rejected when the account is deactivated, or the system's own
 */
export async function issueKeyFor(kernel: Kernel, email: string): Promise<string | undefined> {
  const realmId = await operatorsRealm(kernel);
  const userId = realmId && (await new UserFacts(kernel).idByEmail(realmId, email));
  if (!realmId || !userId) return undefined;
  const keys = new ApiKeys(kernel);
  const key = keys.random();
  await kernel.work.run(systemActor(realmId), (work) => keys.issue(work, userId, key, grantKey));
  return key;
}
