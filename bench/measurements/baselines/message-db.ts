import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, Pool } from 'pg';
import type { Measurement } from '../../harness';
import { closedLoop } from '../../harness';
import { TEXTS } from '../../chat/chat';

const CALLERS = 128;
/** Its writers of one category wait for each other, so more connections than this only wait. */
const CONNECTIONS = 16;

/** The parts of message-db that storing needs, in the order its own installer runs them. */
const PARTS = [
  'schema/message-store',
  'tables/messages',
  ...['id', 'hash-64', 'category', 'acquire-lock', 'stream-version', 'write-message'].map(
    (name) => `functions/${name}`,
  ),
  ...['id', 'stream', 'category'].map((name) => `indexes/messages-${name}`),
];

/** Appends of another event store on PostgreSQL, without hashes and read models, to one category. */
export const messageDb: Measurement = {
  name: 'message-db',
  title: 'message-db: bare append, one category, 128 callers',
  async run(bench) {
    const url = await bench.createDatabase();
    await install(url);
    const pool = new Pool({ connectionString: url, max: CONNECTIONS, options: '-c search_path=message_store' });
    bench.after(() => pool.end());
    let sent = 0;
    const load = await closedLoop({ callers: CALLERS, seconds: bench.seconds }, () => {
      const content = TEXTS[sent++ % TEXTS.length];
      return pool.query({
        name: 'write',
        text: `SELECT write_message($1, $2, 'MessageSent', $3, $4)`,
        values: [
          randomUUID(),
          `message-${sent}`,
          { channelId: 1, topicId: 1, senderId: 7, content },
          { client: 'bench' },
        ],
      });
    });
    return load.figures('message-db');
  },
};

async function install(url: string): Promise<void> {
  const folder = dirname(require.resolve('@eventide/message-db/package.json'));
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const part of PARTS) {
      await client.query(`SET search_path = message_store, public`);
      await client.query(readFileSync(join(folder, 'database', `${part}.sql`), 'utf8'));
    }
  } finally {
    await client.end();
  }
}
