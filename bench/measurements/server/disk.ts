import type { Pool } from 'pg';
import type { Figures, Measurement } from '../../harness';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import { makeBot } from '../../http/bot';
import type { ApiClient } from '../../http/client';

const MESSAGES = 20_000;
const SENDERS = 20;
const CHANNELS = 10;
const TOPICS = 40;
const CALLERS = 32;
const BYTES = 100;

/**
 * Bytes of tables, with everything that PostgreSQL stores beside them, and of indexes. Partitions count as their table.
 */
const SIZES = `SELECT regexp_replace(c.relname, '_(p?\\d+)(_|$)', '\\2') AS name,
    sum(CASE c.relkind WHEN 'r' THEN pg_table_size(c.oid) ELSE pg_relation_size(c.oid) END)::int8 AS bytes
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'i') AND n.nspname NOT IN ('pg_catalog', 'pg_toast', 'information_schema') GROUP BY 1`;

/** The bytes that a message occupies on the disk for good, by table and index. */
export const disk: Measurement = {
  name: 'disk',
  title: `Disk for each message of ${BYTES} bytes`,
  async run(bench) {
    const annals = await startAnnals(bench);
    const kernel = await openKernel(bench, annals.databaseUrl);
    const senders = await people(annals.owner);
    bench.after(async () => senders.forEach((sender) => sender.close()));
    const channels = await createChannels(annals.owner);
    // The first messages are not measured: they create the tables' first pages, which stay half empty.
    await sendAll(senders, channels, MESSAGES / 10);
    await followed(kernel);
    const before = await sizesOf(kernel.database.pool);
    bench.say(`${MESSAGES} messages`);
    await sendAll(senders, channels, MESSAGES);
    await followed(kernel);
    const after = await sizesOf(kernel.database.pool);
    return figuresOf(before, after);
  },
};

async function people(owner: ApiClient): Promise<ApiClient[]> {
  const made: ApiClient[] = [];
  for (let n = 0; n < SENDERS; n++) made.push(await makeBot(owner, `sender${n}`));
  return made;
}

async function createChannels(owner: ApiClient): Promise<unknown[]> {
  const { user_id } = await owner.get('/users/me');
  const ids: unknown[] = [];
  for (let n = 0; n < CHANNELS; n++) {
    const input = { name: `disk ${n}`, subscribers: `[${String(user_id)}]` };
    ids.push((await owner.post('/channels/create', input))['id']);
  }
  return ids;
}

async function sendAll(senders: readonly ApiClient[], channels: readonly unknown[], count: number): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < count) {
      const n = next++;
      const [to, topic] = [String(channels[n % channels.length]), `topic ${n % TOPICS}`];
      const content = `${n} and what somebody has to say `.padEnd(BYTES, 'about it, ');
      await senders[n % senders.length]?.post('/messages', { type: 'channel', to, topic, content });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

async function sizesOf(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string; bytes: number }>(SIZES);
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

function figuresOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Figures {
  const grown = [...after].map(([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / MESSAGES] as const);
  const total = grown.reduce((sum, [, bytes]) => sum + bytes, 0);
  const figures = [...grown.filter(([, bytes]) => Math.round(bytes) > 0), ['total', total] as const];
  return Object.fromEntries(figures.map(([name, value]) => [`disk.${name}`, { value, unit: 'bytes' as const }]));
}
