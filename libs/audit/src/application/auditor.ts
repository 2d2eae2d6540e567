import type { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { GroupFacts, GroupsOfAccounts } from '@annals/groups';
import { RealmFacts, mayAuditContent } from '@annals/realm';
import { API_KEY, KnownApiKeys, UserFacts } from '@annals/users';
import { reject } from '../domain/rejections';

/**
 * The account of a key, if it may read what people wrote (contract/audit.md sections 1 and 7). For programs without an
 * HTTP server.
 *
 * @throws Rejected INVALID_API_KEY for a wrong email or key, UNAUTHORIZED_AUDIT for an account without the right
 */
export async function contentAuditor(
  kernel: Kernel,
  realmId: RealmId,
  { email, key }: { readonly email: string; readonly key: string },
): Promise<UserId> {
  await kernel.fence.look();
  const users = new UserFacts(kernel);
  const userId = await users.idByEmail(realmId, email);
  const user = userId === undefined ? undefined : await users.account(realmId, userId);
  if (userId === undefined || !user?.isActive || !API_KEY.test(key)) throw reject.invalidKey();
  if ((await new KnownApiKeys(kernel).accept(realmId, userId, key)) === undefined) throw reject.invalidKey();
  const realms = new RealmFacts(kernel);
  const groups = await new GroupsOfAccounts(kernel, realms, new GroupFacts(kernel)).all(realmId, user);
  ensure(mayAuditContent({ userId, role: user.role, groups }, (await realms.of(realmId)).settings));
  return userId;
}
