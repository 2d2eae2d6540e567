import type { RealmId, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { ProviderIdentity } from '../../domain/single-sign-on/identities';

/** The account that this identity logs in. Null if there is none. */
export async function readAccountOf(
  pool: Pool,
  realmId: RealmId,
  { issuer, subject }: ProviderIdentity,
): Promise<UserId | null> {
  const { rows } = await pool.query<{ userId: UserId }>({
    name: 'account-of-identity',
    text: `SELECT user_id AS "userId" FROM view.sign_in_identities
      WHERE realm_id = $1 AND issuer = $2 AND subject = $3`,
    values: [realmId, issuer, subject],
  });
  return rows[0]?.userId ?? null;
}

/** What an issuer calls an account. Null if it cannot log it in. */
export async function readSubjectOf(
  pool: Pool,
  realmId: RealmId,
  userId: UserId,
  issuer: string,
): Promise<string | null> {
  const { rows } = await pool.query<{ subject: string }>({
    name: 'subject-of-account',
    text: `SELECT subject FROM view.sign_in_identities WHERE realm_id = $1 AND user_id = $2 AND issuer = $3`,
    values: [realmId, userId, issuer],
  });
  return rows[0]?.subject ?? null;
}

/** The issuers that can log an account in, the first linked first. */
export async function readIssuersOf(pool: Pool, realmId: RealmId, userId: UserId): Promise<readonly string[]> {
  const { rows } = await pool.query<{ issuer: string }>({
    name: 'issuers-of-account',
    text: `SELECT issuer FROM view.sign_in_identities WHERE realm_id = $1 AND user_id = $2 ORDER BY linked_at, issuer`,
    values: [realmId, userId],
  });
  return rows.map(({ issuer }) => issuer);
}
