import type { Instant, RealmId } from '@annals/kernel/domain';
import type { Pool } from 'pg';

/** A mail that was set aside. */
export interface ParkedMail {
  readonly realmId: RealmId;
  readonly kind: string;
  readonly key: string;
  readonly at: Instant;
  readonly attempts: number;
  readonly reason: string;
}

/** Which of them a command is about: one of these, or all. */
export type ParkedSelection = readonly Pick<ParkedMail, 'realmId' | 'kind' | 'key'>[] | 'all';

/** How many mails are set aside. */
export async function countParkedMail(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'mail-count-parked',
    text: 'SELECT count(*)::int4 AS count FROM mail_tasks WHERE parked IS NOT NULL',
  });
  return rows[0]?.count ?? 0;
}

/** The latest of them, the newest first. */
export async function readParkedMail(pool: Pool, limit: number): Promise<ParkedMail[]> {
  const { rows } = await pool.query<ParkedMail>(
    `SELECT p.* FROM realm_heads AS h CROSS JOIN LATERAL (
        SELECT t.realm_id AS "realmId", t.kind, t.key, t.at, t.attempts, t.parked AS reason FROM mail_tasks AS t
        WHERE t.realm_id = h.realm_id AND t.parked IS NOT NULL ORDER BY t.at DESC LIMIT $1) AS p
      ORDER BY p.at DESC, p.kind, p.key LIMIT $1`,
    [limit],
  );
  return rows;
}

const SELECTED_SQL = `t.parked IS NOT NULL AND ($1 OR (t.realm_id, t.kind, t.key) IN
  (SELECT * FROM unnest($2::int4[], $3::text[], $4::text[])))`;
const selected = (which: ParkedSelection) => {
  const named = which === 'all' ? [] : which;
  const [realms, kinds, keys] = [
    named.map((one) => one.realmId),
    named.map((one) => one.kind),
    named.map((one) => one.key),
  ];
  return [which === 'all', realms, kinds, keys];
};

/** Makes mails due again that were set aside, with all attempts. @returns their number */
export async function retryParkedMail(pool: Pool, which: ParkedSelection, now: Instant): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE mail_tasks AS t SET parked = NULL, done_at = NULL, attempts = 0, due_at = $5, at = greatest(t.at, $5)
     FROM realm_heads AS h WHERE t.realm_id = h.realm_id AND ${SELECTED_SQL}`,
    [...selected(which), now],
  );
  return rowCount ?? 0;
}

/** Ends mails that were set aside: they are never sent. @returns their number */
export async function discardParkedMail(pool: Pool, which: ParkedSelection, now: Instant): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE mail_tasks AS t SET parked = NULL, done_at = $5
     FROM realm_heads AS h WHERE t.realm_id = h.realm_id AND ${SELECTED_SQL}`,
    [...selected(which), now],
  );
  return rowCount ?? 0;
}
