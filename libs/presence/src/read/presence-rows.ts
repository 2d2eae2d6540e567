import type { Instant, RealmId, UserId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { Presence } from '../domain/presence';

/** Days that a presence is kept after the last ping. */
export const KEPT_DAYS = 365;

/** The presence of one user in the table. */
export interface PresenceRow extends Presence {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** That of the batch which wrote it. */
  readonly updateId: number;
}

const COLUMNS = `p.realm_id AS "realmId", p.user_id AS "userId", p.active_at AS "activeAt",
  p.connected_at AS "connectedAt", p.update_id AS "updateId"`;

/** Condition: the account of presence `p` is active and shows its presence. */
const SHOWN_SQL = `(EXISTS (SELECT FROM view.users AS u WHERE u.realm_id = p.realm_id AND u.user_id = p.user_id AND u.is_active)
  AND NOT EXISTS (SELECT FROM view.own_settings AS s WHERE s.realm_id = p.realm_id AND s.user_id = p.user_id
    AND s.name = 'presence_enabled' AND s.value = 'false'))`;

/** The presences of a realm that were written after an update, in the order of updates. */
export async function readPresences(pool: Pool, realmId: RealmId, after: number): Promise<PresenceRow[]> {
  const { rows } = await pool.query<PresenceRow>({
    name: 'presence-after',
    text: `SELECT ${COLUMNS} FROM presences AS p WHERE p.realm_id = $1 AND p.update_id > $2 AND ${SHOWN_SQL}
      ORDER BY p.update_id, p.user_id`,
    values: [realmId, after],
  });
  return rows;
}

/** When the users among these who were active at a time or later, and show it, were last active. */
export async function readLastActive(
  pool: Pool,
  realmId: RealmId,
  userIds: readonly UserId[],
  since: Instant,
): Promise<ReadonlyMap<UserId, Instant>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await pool.query<{ userId: UserId; activeAt: Instant }>({
    name: 'presence-last-active',
    text: `SELECT p.user_id AS "userId", p.active_at AS "activeAt" FROM presences AS p
      WHERE p.realm_id = $1 AND p.user_id = ANY($2::int8[]) AND p.active_at >= $3 AND ${SHOWN_SQL}`,
    values: [realmId, userIds, since],
  });
  return new Map(rows.map(({ userId, activeAt }) => [userId, activeAt]));
}

/** The users among these who were active at a time or later, and show it. */
export async function readActiveSince(
  pool: Pool,
  realmId: RealmId,
  userIds: readonly UserId[],
  since: Instant,
): Promise<ReadonlySet<UserId>> {
  return new Set((await readLastActive(pool, realmId, userIds, since)).keys());
}

/**
 * Writes presences of any realms with one statement, except those that nobody may see any more. Times in the table never
 * move back.
 *
 * @returns the rows as they are then
 */
export async function writePresences(
  pool: Pool,
  presences: readonly Omit<PresenceRow, 'updateId'>[],
): Promise<PresenceRow[]> {
  const { rows } = await pool.query<PresenceRow>({
    name: 'presence-write',
    // Heads are locked in the order of realms, so two processes never wait for each other.
    text: `WITH pings AS (
        SELECT * FROM unnest($1::int4[], $2::int8[], $3::int8[], $4::int8[]) AS p (realm_id, user_id, active_at, connected_at)
        WHERE ${SHOWN_SQL}
      ), heads AS (
        INSERT INTO presence_heads AS h (realm_id, update_id)
        SELECT realm_id, 1 FROM pings GROUP BY realm_id ORDER BY realm_id
        ON CONFLICT (realm_id) DO UPDATE SET update_id = h.update_id + 1
        RETURNING h.realm_id, h.update_id
      )
      INSERT INTO presences AS p (realm_id, user_id, active_at, connected_at, update_id)
      SELECT n.realm_id, n.user_id, n.active_at, n.connected_at, h.update_id
      FROM pings AS n JOIN heads AS h ON h.realm_id = n.realm_id
      ON CONFLICT (realm_id, user_id) DO UPDATE SET active_at = greatest(p.active_at, excluded.active_at),
        connected_at = greatest(p.connected_at, excluded.connected_at), update_id = excluded.update_id
      RETURNING ${COLUMNS}`,
    values: [
      presences.map(({ realmId }) => realmId),
      presences.map(({ userId }) => userId),
      presences.map(({ activeAt }) => activeAt),
      presences.map(({ connectedAt }) => connectedAt),
    ],
  });
  return rows;
}

/** An account of a realm. */
export interface PresenceOwner {
  readonly realmId: RealmId;
  readonly userId: UserId;
}

/** Identifies an account in this process. */
export const keyOf = ({ realmId, userId }: PresenceOwner): string => `${realmId}:${userId}`;

/** Deletes the presences of these users, except of those who came back. */
export async function deletePresences(pool: Pool, owners: readonly PresenceOwner[]): Promise<void> {
  await pool.query({
    name: 'presence-delete',
    text: `DELETE FROM presences AS p USING unnest($1::int4[], $2::int8[]) AS o (realm_id, user_id)
      WHERE p.realm_id = o.realm_id AND p.user_id = o.user_id AND NOT ${SHOWN_SQL}`,
    values: [owners.map(({ realmId }) => realmId), owners.map(({ userId }) => userId)],
  });
}

/** Deletes old presences of a realm, and those that nobody may see any more. @returns how many there were */
export async function sweepPresences(pool: Pool, realmId: RealmId, now: Instant): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'presence-sweep',
    text: `DELETE FROM presences AS p WHERE p.realm_id = $1 AND (p.connected_at < $2 OR NOT ${SHOWN_SQL})`,
    values: [realmId, now - KEPT_DAYS * DAY_MS],
  });
  return rowCount ?? 0;
}
