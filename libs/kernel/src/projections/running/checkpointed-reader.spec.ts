import { once } from 'node:events';
import pino from 'pino';
import { BackgroundRunner } from './background-runner';
import type { CheckpointedReader } from './checkpointed-reader';
import type { Operation } from '../spec-support/asked';
import { SpecLog } from '../spec-support/spec-log';

const poison: readonly Operation[] = [{ do: 'throw', message: 'not like this' }];

describe('a checkpointed reader', () => {
  let log: SpecLog;
  let runner: BackgroundRunner;

  beforeEach(async () => {
    log = await SpecLog.open();
    await log.database.pool.query('CREATE TABLE handled (text text)');
  });
  afterEach(async () => {
    await runner.stop();
    await log.close();
  });

  const run = async (reader: CheckpointedReader, pageSize = 4) => {
    await log.store.ensureReaders([reader]);
    runner = new BackgroundRunner({ ...log.deps, store: log.store, log: pino({ level: 'silent' }) }, [], [reader], {
      pageSize,
    });
    await runner.poll();
    await runner.settled();
  };
  const handled = async () =>
    (await log.database.pool.query<{ text: string }>('SELECT text FROM handled ORDER BY 1')).rows.map(
      ({ text }) => text,
    );
  const handle: CheckpointedReader['handle'] = async (events, client) => {
    const { realmId } = events[0] ?? {};
    await client.query('INSERT INTO handled VALUES ($1)', [
      `${realmId}: ${events.map(({ position }) => position).join()}`,
    ]);
    if (events.some(({ data }) => (data as readonly Operation[]).length > 0)) throw new Error('cannot be handled');
  };
  const reader: CheckpointedReader = { name: 'reader', begins: 'beginning', handle };

  it('gets whole appends, also one that is larger than a page', async () => {
    await log.append(1, [], []);
    await log.append(1, [], [], []);
    await log.append(2, ...Array.from({ length: 9 }, () => []));
    await log.append(2, []);
    await run(reader);
    expect(await handled()).toEqual(['1: 1,2', '1: 3,4,5', '2: 1,2,3,4,5,6,7,8,9,10']);
  });

  it('receives smaller pages when it computes for too long, and a minute for a single append', async () => {
    for (let n = 0; n < 4; n++) await log.append(1, []);
    const slow: CheckpointedReader['handle'] = async (events, client) => {
      const setting = 'idle_in_transaction_session_timeout';
      const { rows } = await client.query<{ setting: number }>(
        `SELECT setting::int4 AS setting FROM pg_settings WHERE name = '${setting}'`,
      );
      if ((rows[0]?.setting ?? 0) < 60_000) {
        await client.query(`SET LOCAL ${setting} = 1`);
        await once(client, 'error');
      }
      await handle(events, client);
    };
    await run({ ...reader, handle: slow });
    expect(await handled()).toEqual(['1: 1', '1: 2', '1: 3', '1: 4']);
  });

  it('loses its writes with the append that fails, and stops before it', async () => {
    await log.append(1, [], []);
    await log.append(1, [], poison, []);
    await log.append(1, []);
    await run(reader, 50);
    expect(await handled()).toEqual(['1: 1,2']);
    expect(await log.checkpoint('reader', 1)).toEqual({ position: 2, status: 'parked' });
    expect(await log.store.parked()).toMatchObject([{ projection: 'reader', position: 3, error: 'cannot be handled' }]);
  });

  it('is not parked when the connection is lost, and handles the events again', async () => {
    let cuts = 1;
    await log.append(1, [], []);
    await run({
      ...reader,
      handle: async (events, client) => {
        await handle(events, client);
        cuts -= 1;
        // A client that loses its connection while it is in use emits the error to its listener, else to the process.
        if (cuts >= 0) await client.query('SELECT pg_terminate_backend(pg_backend_pid())');
      },
    });
    expect(await handled()).toEqual([]);
    expect(runner.status()).toMatchObject([{ parked: [], failing: [{ realmId: 1 }] }]);
    log.clock.advance(1_000);
    await runner.poll();
    await runner.settled();
    expect(await handled()).toEqual(['1: 1,2']);
  });

  it('is notified of its commits', async () => {
    const received: string[] = [];
    await log.append(1, [], []);
    await log.append(2, poison);
    await run({ ...reader, committed: (realmId, position) => void received.push(`${realmId}: ${position}`) });
    expect(received).toEqual(['1: 2']);
  });
});
