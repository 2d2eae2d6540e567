import { Client } from 'pg';
import type { Measurement } from '../../harness';
import { closedLoop } from '../../harness';
import { Chat } from '../../chat/chat';

const CALLERS = 128;
/** Parts of the length of a run: how long the snapshot is held, and how long a step is. */
const HELD = 2;
const STEP = 0.3;

/** Somebody forgets an open transaction, or a backup runs: dead rows of the head cannot be removed meanwhile. */
export const snapshot: Measurement = {
  name: 'snapshot',
  title: '128 callers before and while a snapshot is held open',
  async run(bench) {
    const chat = await Chat.open(bench);
    bench.say('before');
    const before = await closedLoop({ callers: CALLERS, seconds: bench.seconds }, () => chat.send());
    bench.say('while it is held');
    const { url } = chat.kernel.database;
    const held = await whileHeld(url, () =>
      closedLoop({ callers: CALLERS, seconds: bench.seconds * HELD }, () => chat.send()),
    );
    return {
      ...before.figures('snapshot.before'),
      ...held.figures('snapshot.held'),
      'snapshot.lowest.rate': { value: held.lowestRate(bench.seconds * STEP), unit: 'events/s' },
    };
  },
};

async function whileHeld<T>(url: string, task: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SELECT count(*) FROM realm_heads');
    return await task();
  } finally {
    await client.end();
  }
}
