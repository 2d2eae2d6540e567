import type { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { readOwners } from '@annals/users';

/** The owner who issued a token. For one of the operator, the first owner of the organization. */
export async function issuerOf({ database }: Kernel, realmId: RealmId, tokenId: number): Promise<UserId> {
  const { rows } = await database.pool.query<{ issued_by: UserId | null }>({
    name: 'provisioning-token-issuer',
    text: 'SELECT issued_by FROM view.provisioning_tokens WHERE realm_id = $1 AND token_id = $2',
    values: [realmId, tokenId],
  });
  const issuer = rows[0]?.issued_by ?? (await readOwners(database.pool, realmId))[0];
  if (issuer === undefined) throw new Error(`realm ${realmId} has no owner`);
  return issuer;
}
