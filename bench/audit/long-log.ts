import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';

const REALM = 1 as RealmId;
const PAGE = 200_000;

/** An answered read of the history: an event without text. Its parts are in the order of canonical JSON. */
const DATA = '{"endpoint":"GET /audit/events","parameters":{"limit":100},"results":100,"words":false}';
const IDS = '00000000-0000-4000-8000-000000000004';

/** Rows as the lane writes them, with the hashes of their content. */
const EVENTS_SQL = `
INSERT INTO events SELECT $1::int4, p, 'filled-' || p, 1, 'audit.Viewed', 1, NULL, '${IDS}', '${IDS}', NULL, 'bench', h.at,
  '${DATA}'::json, NULL, NULL, NULL, sha256('\\x00'::bytea || convert_to(
    '{"actorId":null,"at":' || h.at || ',"causation":null,"client":"bench","commandId":"${IDS}","commitment":null' ||
    ',"correlation":"${IDS}","data":${DATA},"position":' || p || ',"realmId":' || $1::int4 || ',"stream":"filled-' || p ||
    '","type":"audit.Viewed","v":1,"version":1}', 'UTF8'))
FROM realm_heads AS h, generate_series($2::int8, $3::int8) AS p WHERE h.realm_id = $1`;

const HEAD_SQL = 'UPDATE realm_heads SET position = $2 WHERE realm_id = $1';

/**
 * Adds events to the log of realm 1 until it has so many, beside the lane and without any read model. Their hashes are
 * true. No process may follow the log meanwhile.
 *
 * @param progress receives the length of the log from time to time
 */
export async function lengthen(kernel: Kernel, count: number, progress: (length: number) => void): Promise<void> {
  let head = (await kernel.events.heads()).get(REALM) ?? 0;
  while (head < count) {
    const to = Math.min(count, head + PAGE);
    await kernel.database.transaction('BEGIN', async (client) => {
      await client.query(EVENTS_SQL, [REALM, head + 1, to]);
      await client.query(HEAD_SQL, [REALM, to]);
    });
    progress((head = to));
  }
  await kernel.database.pool.query('VACUUM (ANALYZE) events');
}
