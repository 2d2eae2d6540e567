import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { CHANNELS, SENDER, TEXTS, TOPICS } from './chat';

const REALM = 1 as RealmId;
const PAGE = 50_000;

/** Rows as the lane writes them. Only the hashes are of other bytes, and nothing checks them here. */
const EVENTS_SQL = `
INSERT INTO events SELECT $1::int4, p, 'message-' || p, 1, 'bench.MessageSent', 1, $4::int8, gen_random_uuid(),
  gen_random_uuid(), NULL, 'ZulipMobile', h.at,
  ('{"channelId":' || p % $5 + 1 || ',"hasAttachment":false,"hasImage":false,"hasLink":false,"isMe":false,' ||
    '"mentionedUserIds":[],"senderId":' || $4::int8 || ',"topicId":' || p % $6 + 1 || '}')::json,
  ('{"address":"198.51.100.7","words":{"content":"' || ($7::text[])[p % cardinality($7) + 1] || '"}}')::json,
  uuid_send(gen_random_uuid()), sha256(int8send(p)), sha256(int8send(-p))
FROM realm_heads AS h, generate_series($2::int8, $3::int8) AS p WHERE h.realm_id = $1`;

const MESSAGES_SQL = `
INSERT INTO view.bench_messages SELECT $1::int4, p, $4::int8, p % $5 + 1, p % $6 + 1, p, p, h.at, 'ZulipMobile', false, false,
  false, false, '{}', p
FROM realm_heads AS h, generate_series($2::int8, $3::int8) AS p WHERE h.realm_id = $1`;

const HEAD_SQL = 'UPDATE realm_heads SET position = $2 WHERE realm_id = $1';

/**
 * Stores so many messages in realm 1 at once, in the log and in its read model, while nothing else writes.
 *
 * @param progress receives the number of stored ones from time to time
 */
export async function storeMessages(kernel: Kernel, count: number, progress: (done: number) => void): Promise<void> {
  const first = ((await kernel.events.heads()).get(REALM) ?? 0) + 1;
  for (let done = 0; done < count; done += PAGE) {
    const from = first + done;
    const to = first + Math.min(count, done + PAGE) - 1;
    await kernel.database.transaction('BEGIN', async (client) => {
      const range = [REALM, from, to];
      await client.query(EVENTS_SQL, [...range, SENDER, CHANNELS, TOPICS, TEXTS]);
      await client.query(MESSAGES_SQL, [...range, SENDER, CHANNELS, TOPICS]);
      await client.query(HEAD_SQL, [REALM, to]);
    });
    progress(Math.min(count, done + PAGE));
  }
  await kernel.database.pool.query('VACUUM (ANALYZE) events, view.bench_messages');
  await kernel.database.pool.query('CHECKPOINT');
}
