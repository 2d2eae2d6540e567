import type { Instant, RealmId, UserId } from '@annals/kernel/domain';
import { isActiveSql } from '@annals/realm';
import { activeSinceSql } from '@annals/users';
import type { ClientBase, Pool } from 'pg';

/** An organization whose users want digests. */
export interface DigestRealm {
  readonly realmId: RealmId;
  /** 0 is Monday. */
  readonly weekday: number;
}

/** The organizations that send digests. @param initialWeekday of those that have not chosen another day */
export async function readDigestRealms(pool: Pool, initialWeekday: number): Promise<DigestRealm[]> {
  const { rows } = await pool.query<DigestRealm>({
    name: 'email-digest-realms',
    text: `SELECT s.realm_id AS "realmId", coalesce(w.value::text::int4, $1) AS weekday
      FROM realm_heads AS h
      JOIN view.realm_settings AS s ON s.realm_id = h.realm_id AND s.name = 'digest_emails_enabled' AND s.value = 'true'
      LEFT JOIN view.realm_settings AS w ON w.realm_id = h.realm_id AND w.name = 'digest_weekday'
      WHERE ${isActiveSql('h.realm_id')} ORDER BY 1`,
    values: [initialWeekday],
  });
  return rows;
}

/** Begins the digests of a week. Nothing if they have begun: an organization has one for each week. */
export async function beginDigests(pool: Pool, realmId: RealmId, week: number, at: Instant): Promise<void> {
  await pool.query({
    name: 'email-begin-digests',
    text: `INSERT INTO digest_runs (realm_id, week, at, after_user, is_done) VALUES ($1, $2, $3, 0, false)
      ON CONFLICT DO NOTHING`,
    values: [realmId, week, at],
  });
}

/** Digests that have begun and are not all in the outbox. */
export interface DigestRun {
  readonly week: number;
  /** When they began. */
  readonly at: Instant;
  /** Users up to this id are done. */
  readonly afterUser: UserId;
}

/** The run of a week, locked until the end of the transaction. Null if it is done, or another worker is at it. */
export async function lockDigestRun(client: ClientBase, realmId: RealmId, week: number): Promise<DigestRun | null> {
  const { rows } = await client.query<DigestRun>({
    name: 'email-lock-digests',
    text: `SELECT week, at, after_user AS "afterUser" FROM digest_runs
      WHERE realm_id = $1 AND week = $2 AND NOT is_done FOR UPDATE SKIP LOCKED`,
    values: [realmId, week],
  });
  return rows[0] ?? null;
}

/** Records that users up to an id are done; null for all of them. */
export async function advanceDigestRun(
  client: ClientBase,
  realmId: RealmId,
  week: number,
  afterUser: UserId | null,
): Promise<void> {
  await client.query({
    name: 'email-advance-digests',
    text: `UPDATE digest_runs SET after_user = coalesce($3, after_user), is_done = $3::int8 IS NULL
      WHERE realm_id = $1 AND week = $2`,
    values: [realmId, week, afterUser],
  });
}

/** A page of people who have been away since a time and want digests, ascending. */
export async function readAway(
  client: ClientBase,
  realmId: RealmId,
  since: Instant,
  afterUser: UserId,
  limit: number,
): Promise<UserId[]> {
  const { rows } = await client.query<{ userId: UserId }>({
    name: 'email-away',
    text: `SELECT u.user_id AS "userId" FROM view.users AS u
      WHERE u.realm_id = $1 AND u.user_id > $3 AND u.is_active AND u.bot_type IS NULL AND NOT u.is_system_bot
        AND u.joined_at < $2 AND u.user_id NOT IN ${activeSinceSql('$1', '$2::int8')}
        AND NOT EXISTS (SELECT FROM view.own_settings AS s WHERE s.realm_id = u.realm_id AND s.user_id = u.user_id
          AND s.name = 'enable_digest_emails' AND s.value = 'false')
      ORDER BY u.user_id LIMIT $4`,
    values: [realmId, since, afterUser, limit],
  });
  return rows.map(({ userId }) => userId);
}

/** The time at which the digests of a week began. Undefined without them. */
export async function readDigestRun(pool: Pool, realmId: RealmId, week: number): Promise<Instant | undefined> {
  const { rows } = await pool.query<{ at: Instant }>({
    name: 'email-digest-run',
    text: 'SELECT at FROM digest_runs WHERE realm_id = $1 AND week = $2',
    values: [realmId, week],
  });
  return rows[0]?.at;
}
