import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { Pool, types } from 'pg';
import type { Measurement } from '../../harness';
import { closedLoop } from '../../harness';
import { TEXTS } from '../../chat/chat';

const CALLERS = 128;
/** Each writer has a transaction of its own; more of them than this only wait for each other. */
const CONNECTIONS = 16;

/** Appends of another event store on PostgreSQL, without hashes and read models, each message to a new stream. */
export const emmett: Measurement = {
  name: 'emmett',
  title: 'emmett: bare append, 128 callers',
  async run(bench) {
    // The library changes how the whole process reads int8.
    const int8 = types.getTypeParser(types.builtins.INT8) as (value: string) => number;
    bench.after(async () => types.setTypeParser(types.builtins.INT8, int8));
    const pool = new Pool({ connectionString: await bench.createDatabase(), max: CONNECTIONS });
    bench.after(() => pool.end());
    const store = getPostgreSQLEventStore('', { connectionOptions: { pool } });
    bench.after(() => store.close());
    await store.schema.migrate();
    let sent = 0;
    const load = await closedLoop({ callers: CALLERS, seconds: bench.seconds }, async () => {
      const content = TEXTS[sent++ % TEXTS.length];
      const data = { channelId: 1, topicId: 1, senderId: 7, content };
      await store.appendToStream(`message-${sent}`, [{ type: 'MessageSent', data, metadata: { client: 'bench' } }]);
    });
    return load.figures('emmett');
  },
};
