import type { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import type { Realm } from '@annals/realm';
import { foldRealm, realmAggregate } from '@annals/realm';
import { UserFacts } from '@annals/users';

/**
 * The settings of an organization.
 *
 * @throws Error when it was not created
 */
export async function organizationOf(kernel: Kernel, realmId: RealmId): Promise<NonNullable<Realm>> {
  const realm = foldRealm(await kernel.events.stream(realmId, realmAggregate.stream('realm')));
  if (!realm) throw new Error(`Organization ${realmId} has no settings.`);
  return realm;
}

/** Names of accounts, with their ids. Unknown accounts are left out. */
export async function readNames(
  kernel: Kernel,
  realmId: RealmId,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  await kernel.fence.look();
  const rows = await new UserFacts(kernel).accounts(realmId, users);
  return new Map([...rows].map(([id, { fullName }]) => [id, `${fullName} (user ${id})`]));
}
