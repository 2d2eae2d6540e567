import { setTimeout as pause } from 'node:timers/promises';
import type { RealmId } from '@annals/kernel/domain';
import { granted } from '../support/server/caller';
import { copiesOf } from '../support/laws/copies';
import { noOrphanedMessages } from '../support/requests/orphaned-messages';
import { copied } from '../support/requests/messages';
import type { AppProcess, ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';

const LOOK_MS = 20;
/** Two batches and a half. */
const MESSAGES = 250;
const REALM = 1 as RealmId;

let server: ProcessServer;
beforeAll(async () => {
  server = await startProcesses();
});
afterAll(() => server.close());

const pool = () => server.kernel.database.pool;
const dataOf = async <Data>(wanted: string): Promise<Data[]> =>
  (await server.kernel.events.page(REALM, 0, 10_000)).flatMap(({ type, data }) =>
    type === wanted ? [data as Data] : [],
  );
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(LOOK_MS);
}

/** Locks rows that a worker needs, so that it stops there. Then kills it, and releases them. */
async function killedAt(
  rows: string,
  {
    act,
    isThere = async () => true,
    then,
  }: {
    /** Gets it going. */
    readonly act: () => Promise<unknown>;
    /** A further condition before it dies. */
    readonly isThere?: () => Promise<boolean>;
    /** The result of the statement that waits. */
    readonly then: 'it is lost' | 'it takes effect';
  },
): Promise<void> {
  const holder = await pool().connect();
  // A slow machine takes longer to start a worker than PostgreSQL lets a transaction idle.
  await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
  await holder.query(`${rows} FOR UPDATE`);
  await act();
  let waiting: number[] = [];
  await until(async () => {
    const { rows: found } = await pool().query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    waiting = found.map(({ pid }) => pid);
    return waiting.length > 0 && (await isThere());
  });
  const [doomed] = server.workers as readonly [AppProcess];
  await server.kill(doomed);
  if (then === 'it is lost') await pool().query('SELECT pg_terminate_backend(unnest($1::int4[]))', [waiting]);
  await holder.query('COMMIT');
  holder.release();
}

describe('workers that die', () => {
  let ids: number[];
  let person: number;

  it('while they delete the messages of a deleted account have deleted each once in the end', async () => {
    const ophelia = await server.person({ name: 'Ophelia Drowned' });
    person = ophelia.id;
    const channels = [await server.channel(ophelia), await server.channel(ophelia)];
    for (const to of channels) {
      const message = { type: 'channel', to, topic: 'news', content: 'ophelia-word' };
      const { id } = granted(await ophelia.post<{ id: number }>('/messages', message));
      await copied(server.kernel, id, MESSAGES / 2 - 1);
    }
    const { rows } = await pool().query<{ id: number }>(
      'SELECT message_id AS id FROM view.messages WHERE sender_id = $1 ORDER BY 1',
      [person],
    );
    ids = rows.map(({ id }) => id);
    expect(ids).toHaveLength(MESSAGES);
    // Copies that are not updated: versions that were replaced, and builds that were abandoned.
    const names = server.kernel.projections.map(({ name }) => name);
    await server.kernel.rebuild().run(names);
    await server.kernel.rebuild().build(names.filter((name) => name !== 'users'));
    const [[, tables = []] = []] = await copiesOf(pool(), ['Ophelia Drowned']);
    expect(tables.filter((name) => name === 'users')).toHaveLength(2);
    const actions = { delete_profile: true, delete_public_channel_messages: true };
    const message = (n: number) => `SELECT FROM view.messages WHERE message_id = ${ids[n] ?? 0}`;
    await killedAt(message(100), {
      act: async () => granted(await server.owner.delete(`/users/${person}`, { actions })),
      then: 'it is lost',
    });
    const left = 'SELECT FROM view.messages WHERE sender_id = $1';
    expect((await pool().query(left, [person])).rowCount).toBe(MESSAGES - 100);
    await killedAt(message(10), { act: () => server.startWorker(), then: 'it takes effect' });
    await server.startWorker();
    await noOrphanedMessages(server.kernel);
    expect((await pool().query(left, [person])).rowCount).toBe(0);
    const deleted = await dataOf<{ messageIds: number[] }>('messages.MessagesDeleted');
    expect(deleted.flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b)).toEqual(ids);
    expect(await dataOf('messages.DisownedDeleted')).toHaveLength(1);
  });

  it('between erasing and recording it have erased everything, and each order is recorded once', async () => {
    await server.settled();
    const erased = async () =>
      (await pool().query('SELECT FROM events WHERE commitment IS NOT NULL AND sealed IS NULL')).rowCount ?? 0;
    const { rows } = await pool().query<{ position: number }>(
      'SELECT DISTINCT position FROM view.erasure_orders ORDER BY position',
    );
    const orders = rows.map(({ position }) => position);
    expect(orders.length).toBeGreaterThan(3);
    expect(await erased()).toBe(0);
    await Promise.all(server.workers.map((worker) => server.kill(worker)));
    const starts = () => server.startWorker({ ANNALS_ERASURE_DAYS: '0' });
    // Erasing locks the head of the realm itself. This row is written between erasing and recording.
    await killedAt('SELECT FROM storage_cleanup', {
      act: starts,
      isThere: async () => (await erased()) > 0,
      then: 'it is lost',
    });
    const events = await erased();
    expect(await dataOf('kernel.Erased')).toEqual([]);
    await starts();
    await until(async () => (await pool().query('SELECT FROM view.erasure_orders')).rowCount === 0);
    const erasures = await dataOf<{ order: number; events: number }>('kernel.Erased');
    expect(erasures.map(({ order }) => order)).toEqual(orders);
    expect(erasures.reduce((sum, one) => sum + one.events, 0)).toBe(events);
    expect(events).toBe(MESSAGES + 1);
    expect(await copiesOf(pool(), ['ophelia-word', 'Ophelia Drowned'])).toEqual([]);
  });
});
