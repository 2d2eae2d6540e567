import { Client } from 'pg';
import type { Bench, Figures, Measurement } from '../../harness';
import { closedLoop } from '../../harness';
import { hasPgbench, pgbench } from '../../pgbench';

const CALLERS = [1, 16, 128];
const BULK_ROWS = 1_000;
const PASTES = 6;

/**
 * A table with the columns of the log and its two keys, but without partitions, trigger, lock, versions, hashes and read
 * models: what PostgreSQL can store of such rows when nothing is asked of it.
 */
const TABLE_SQL = `
CREATE SEQUENCE raw_positions CACHE 1000;
CREATE TABLE raw_events (
  realm_id int4 NOT NULL, position int8 NOT NULL, stream text NOT NULL, version int4 NOT NULL, type text NOT NULL,
  v int2 NOT NULL, actor_id int8, command_id uuid NOT NULL, correlation uuid NOT NULL, causation text,
  client text NOT NULL, at int8 NOT NULL, data json NOT NULL, sealed json, salt bytea, commitment bytea,
  leaf_hash bytea NOT NULL,
  PRIMARY KEY (realm_id, position),
  UNIQUE (realm_id, stream, version)
)`;

// A colon that no space follows would be a variable to pgbench.
const DATA =
  '{"channelId": 1, "hasAttachment": false, "hasImage": false, "hasLink": false, "isMe": false, ' +
  '"mentionedUserIds": [], "senderId": 7, "topicId": 1}';
const SEALED = `{"address": "198.51.100.7", "words": {"content": "${'the log keeps every word '.repeat(PASTES)}"}}`;
const SALT = '00112233445566778899aabbccddeeff';
const HASH = SALT.repeat(2);

/** Stores as many rows, made inside PostgreSQL, so that nothing but storing them costs anything. */
const insert = (rows: number) =>
  `INSERT INTO raw_events SELECT 1, p, 'message-' || p, 1, 'messages.MessageSent', 1, 7, md5(p::text)::uuid, ` +
  `md5(p::text)::uuid, NULL, 'ZulipMobile', 1767225600000, '${DATA}', '${SEALED}', '\\x${SALT}', '\\x${HASH}', ` +
  `'\\x${HASH}' FROM (SELECT nextval('raw_positions') AS p FROM generate_series(1, ${rows})) AS rows`;

/** The limit: the highest rate of this PostgreSQL on this disk. */
export const rawPostgres: Measurement = {
  name: 'raw',
  title: 'Raw PostgreSQL: single-row commits and 1,000-row inserts',
  async run(bench) {
    const url = await bench.createDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(TABLE_SQL);
    await client.end();
    const figures: Figures[] = [];
    for (const callers of CALLERS) {
      bench.say(`single-row INSERT and COMMIT, ${callers} callers`);
      figures.push((await drive(bench, url, insert(1), callers)).figures(`raw.${callers}`, 'rows/s'));
    }
    bench.say(`${BULK_ROWS}-row INSERT, one connection`);
    const bulk = await drive(bench, url, insert(BULK_ROWS), 1);
    return Object.assign({}, ...figures, {
      'raw.bulk.rate': { value: bulk.rate * BULK_ROWS, unit: 'rows/s' },
    }) as Figures;
  },
};

/** By pgbench where the machine has it, else by the driver that we use ourselves. */
async function drive({ seconds, folder }: Bench, url: string, statement: string, callers: number) {
  if (hasPgbench()) return pgbench({ url, statement, callers, seconds, folder });
  const clients = Array.from({ length: callers }, () => new Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    return await closedLoop({ callers, seconds }, (caller) => {
      const client = clients[caller];
      if (!client) throw new Error(`caller ${caller} has no connection`);
      return client.query({ name: 'raw', text: statement });
    });
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
