import type { Kernel } from '@annals/kernel';
import { crowd } from '../../../libs/users/src/spec-support/crowd';
import type { Bench, Measurement } from '../../harness';
import { startAnnals } from '../../http/annals';
import { openKernel } from '../../http/beside';
import type { ApiClient } from '../../http/client';
import { sendPast } from '../../http/past';
import { createChannels } from './messages';

/** Messages of one request. */
const MARKED = 10_000;
/** Requests whose median is the figure. */
const ROUNDS = 5;
/** Messages that a user sees at a time. */
const SCREEN = 20;
const PEOPLE = 200;

/** A user who marks messages as read, many at once and one screen at a time. */
export const flags: Measurement = {
  name: 'flags',
  title: `Marking ${MARKED.toLocaleString('en-US')} messages as read`,
  async run(bench) {
    const { owner, databaseUrl } = await startAnnals(bench);
    const channels = await createChannels(owner);
    const kernel = await openKernel(bench, databaseUrl);
    const senders = await crowd(kernel, PEOPLE);
    const progress = (done: number) => bench.say('storing messages', String(done));
    const marked = MARKED * (ROUNDS + 1);
    const past = await sendPast(kernel, { channels, senders, count: Math.max(bench.stored, marked), progress });
    await kernel.database.pool.query('VACUUM (ANALYZE)');
    const { rows } = await kernel.database.pool.query<{ id: number }>(
      'SELECT message_id AS id FROM view.messages WHERE realm_id = 1 ORDER BY message_id DESC LIMIT $1',
      [marked],
    );
    const unread = rows.map(({ id }) => id).reverse();
    const parts = Array.from({ length: ROUNDS + 1 }, (_, n) => unread.slice(n * MARKED, (n + 1) * MARKED));
    const [screens = [], ...rounds] = parts;
    return {
      'flags.stored': { value: past.messages, unit: 'messages' },
      'flags.bytes': { value: (await readScreens(bench, kernel, owner, screens)) / MARKED, unit: 'bytes' },
      'flags.read': { value: await medianOf(bench, owner, rounds, 'add'), unit: 'ms' },
      'flags.unread': { value: await medianOf(bench, owner, rounds, 'remove'), unit: 'ms' },
    };
  },
};

const mark = (owner: ApiClient, ids: readonly number[], op: 'add' | 'remove') =>
  owner.post('/messages/flags', { messages: JSON.stringify(ids), op, flag: 'read' });

/** How long one request takes that marks messages which are not marked so. */
async function medianOf(
  bench: Bench,
  owner: ApiClient,
  rounds: readonly (readonly number[])[],
  op: 'add' | 'remove',
): Promise<number> {
  bench.say(op === 'add' ? 'marking as read' : 'marking as unread');
  const times: number[] = [];
  for (const ids of rounds) {
    const began = performance.now();
    await mark(owner, ids, op);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

/** Marks messages as read, one screen at a time. @returns bytes of the rows that this leaves in the log */
async function readScreens(bench: Bench, kernel: Kernel, owner: ApiClient, ids: readonly number[]): Promise<number> {
  bench.say('reading one screen at a time');
  for (let n = 0; n < ids.length; n += SCREEN) await mark(owner, ids.slice(n, n + SCREEN), 'add');
  const { rows } = await kernel.database.pool.query<{ bytes: number }>(
    "SELECT sum(pg_column_size(e.*))::int8 AS bytes FROM events AS e WHERE type = 'messages.FlagsChanged'",
  );
  return rows[0]?.bytes ?? NaN;
}
