import { systemActor } from '@annals/kernel';
import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { SpecialPermissions } from '@annals/users';
import { UserFacts, changePermissions, userAggregate } from '@annals/users';

/**
 * Gives special permissions to an account by its email, or removes them (contract/permissions.md section 1).
 *
 * @returns false when no account has this email
 * @throws Rejected for an account of the system
 */
export async function grantTo(
  kernel: Kernel,
  realmId: RealmId,
  email: string,
  input: Partial<SpecialPermissions>,
): Promise<boolean> {
  const userId = await new UserFacts(kernel).idByEmail(realmId, email);
  if (userId === undefined) return false;
  await kernel.work.run(systemActor(realmId), (work) =>
    work.decide(userAggregate, userId, (state) => changePermissions(state, input)),
  );
  return true;
}
