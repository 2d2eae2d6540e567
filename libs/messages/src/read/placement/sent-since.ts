import type { Instant, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/**
 * The first position at a time or later; one beyond the head when there is none. Times never decrease along the log and positions
 * have no gaps, so a binary search finds it.
 */
export async function sentSince(
  client: Pool | ClientBase,
  realmId: RealmId,
  head: number,
  at: Instant,
): Promise<number> {
  const { rows } = await client.query<{ hi: number }>({
    name: 'messages-sent-since',
    text: `WITH RECURSIVE s(lo, hi) AS (
        SELECT 0::int8, $2::int8 + 1
        UNION ALL
        SELECT CASE WHEN e.at < $3 THEN e.position ELSE s.lo END, CASE WHEN e.at < $3 THEN s.hi ELSE e.position END
        FROM s JOIN events AS e ON e.realm_id = $1 AND e.position = (s.lo + s.hi) / 2 WHERE s.hi - s.lo > 1)
      SELECT hi FROM s WHERE hi - lo = 1`,
    values: [realmId, head, at],
  });
  return rows[0]?.hi ?? head + 1;
}
