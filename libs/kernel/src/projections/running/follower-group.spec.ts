import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import type { Database } from '../../database/database';
import type { RealmId } from '../../domain/index';
import type { RunnerOptions } from './background-runner';
import type { Share } from '../../wake-ups/notice';
import { ALL_SHARES, shareOf } from '../../wake-ups/notice';
import { BackgroundRunner } from './background-runner';
import type { CheckpointedReader } from './checkpointed-reader';
import type { Projection } from '../definition/define';
import { on } from '../definition/define';
import type { EventSource } from './event-source';
import { Asked } from '../spec-support/asked';
import { counted, counts, poison, projection, realm, times } from '../spec-support/counting';
import { altered } from '../spec-support/sources';
import { SpecLog } from '../spec-support/spec-log';

/** Hears the same as `counts`. */
const others = projection(
  'others',
  1,
  on(Asked, () => undefined),
);

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

describe('followers of the log', () => {
  let log: SpecLog;
  const runners: BackgroundRunner[] = [];

  beforeEach(async () => {
    log = await SpecLog.open();
  });
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop();
    await log.close();
  });

  interface Parts extends RunnerOptions {
    readonly projections?: readonly Projection[];
    readonly readers?: readonly CheckpointedReader[];
    readonly source?: EventSource;
    readonly database?: Database;
    readonly hold?: (shares: readonly Share[]) => Promise<void>;
  }
  const run = async ({ projections = [], readers = [], ...parts }: Parts): Promise<BackgroundRunner> => {
    await log.store.ensureLive(projections);
    await log.store.ensureReaders(readers);
    const { source = log.source, database = log.database, hold, ...options } = parts;
    const deps = {
      ...log.deps,
      source,
      database,
      store: log.store,
      log: pino({ level: 'silent' }),
      ...(hold && { hold }),
    };
    const runner = new BackgroundRunner(deps, projections, readers, { pageSize: 10, ...options });
    runners.push(runner);
    return runner;
  };
  const caughtUp = async (runner: BackgroundRunner) => {
    await runner.poll();
    await runner.settled();
  };
  /** The database, with its transactions counted. */
  const counting = () => {
    let count = 0;
    const transaction: Database['transaction'] = (begin, act) => {
      count += 1;
      return log.database.transaction(begin, act);
    };
    const database = Object.create(log.database, { transaction: { value: transaction } }) as Database;
    return { database, transactions: () => count };
  };
  const positionOf = async (name: string) => (await log.checkpoint(name, 1))?.position;

  describe('that take pages together', () => {
    const handled: string[] = [];
    const reader = (name: string, more: Partial<CheckpointedReader> = {}): CheckpointedReader => ({
      name,
      begins: 'beginning',
      handle: async (events) => void handled.push(`${name} ${events[0]?.position}-${events.at(-1)?.position}`),
      ...more,
    });
    beforeEach(() => handled.splice(0));

    it('share one transaction for a page', async () => {
      const { database, transactions } = counting();
      await log.store.ensureLive([counts, others]);
      for (let n = 0; n < 3; n++) await log.append(1, ...times(10, counted));
      await caughtUp(await run({ projections: [counts, others], readers: [reader('reader')], database, pageSize: 11 }));
      expect(transactions()).toBe(3);
      expect(handled).toEqual(['reader 1-10', 'reader 11-20', 'reader 21-30']);
      expect([await positionOf('counts'), await positionOf('others'), await positionOf('reader')]).toEqual([
        30, 30, 30,
      ]);
    });

    it('go on without the one that fails, which joins them where it meets them', async () => {
      let isAway = true;
      const failing = reader('failing', {
        handle: async (events) => {
          if (isAway) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
          handled.push(`failing ${events[0]?.position}-${events.at(-1)?.position}`);
        },
      });
      const runner = await run({ readers: [reader('reader'), failing] });
      await log.append(1, [], []);
      await caughtUp(runner);
      await log.append(1, []);
      await caughtUp(runner);
      isAway = false;
      log.clock.advance(60_000);
      await caughtUp(runner);
      await log.append(1, []);
      await caughtUp(runner);
      // What failed was handled by the others in the transaction that was rolled back, too.
      expect(handled.filter((what) => what.startsWith('failing'))).toEqual(['failing 1-3', 'failing 4-4']);
      expect(handled.filter((what) => what.startsWith('reader')).slice(-2)).toEqual(['reader 3-3', 'reader 4-4']);
      expect([await positionOf('reader'), await positionOf('failing')]).toEqual([4, 4]);
    });

    it('park by themselves', async () => {
      const runner = await run({ projections: [counts, others], readers: [reader('reader')] });
      await log.append(1, ...times(2, counted));
      await log.append(1, poison);
      await caughtUp(runner);
      expect((await log.store.parked()).map((one) => one.projection)).toEqual(['counts']);
      expect([await positionOf('counts'), await positionOf('others'), await positionOf('reader')]).toEqual([2, 3, 3]);
    });

    it('do nothing for events that do not concern them, and store their checkpoints when it is quiet', async () => {
      const { database, transactions } = counting();
      const deaf = reader('deaf', { hears: ({ type }) => type === 'spec.Other' });
      const alert = reader('alert', { hears: ({ type }) => type === Asked.type });
      await log.append(1, ...times(9, []));
      for (let n = 0; n < 4; n++) await log.append(1, ...times(10, []));
      await caughtUp(await run({ readers: [deaf, alert], database, pageSize: 11 }));
      expect(handled.every((what) => what.startsWith('alert'))).toBe(true);
      expect(handled).toHaveLength(5);
      expect(transactions()).toBe(5 + 1);
      expect([await positionOf('deaf'), await positionOf('alert')]).toEqual([49, 49]);
    });

    it('take new events without waiting while checkpoints of skipped events are stored', async () => {
      let isListening = false;
      const written = deferred();
      const taken = deferred();
      let transactions = 0;
      const transaction: Database['transaction'] = async (begin, act) => {
        const isFirst = ++transactions === 1;
        const result = await log.database.transaction(begin, act);
        if (isFirst) {
          isListening = true;
          runner.wake(realm(1), await log.append(1, []));
          await Promise.race([taken.promise, pause(100)]);
          written.resolve();
        } else {
          taken.resolve();
          await written.promise;
        }
        return result;
      };
      const database = Object.create(log.database, { transaction: { value: transaction } }) as Database;
      const runner = await run({ readers: [reader('reader', { hears: () => isListening })], database });
      await log.append(1, []);
      await caughtUp(runner);
      expect(handled).toEqual(['reader 2-2']);
      expect(await positionOf('reader')).toBe(2);
    });

    it('notify when checkpoints of skipped events are stored', async () => {
      const told: number[] = [];
      const deaf = reader('deaf', { hears: () => false, committed: (_, position) => void told.push(position) });
      await log.append(1, ...times(3, []));
      await caughtUp(await run({ readers: [deaf] }));
      expect(told).toEqual([3]);
    });

    it('write where they are also where it is never quiet', async () => {
      const { database, transactions } = counting();
      const deaf = reader('deaf', { hears: () => false });
      for (let n = 0; n < 5; n++) await log.append(1, ...times(499, []));
      await caughtUp(await run({ readers: [deaf], database, pageSize: 500 }));
      // After three pages, and when it has become quiet.
      expect(transactions()).toBe(2);
      expect(await positionOf('deaf')).toBe(2_495);
    });

    it('do not wait for others when people wait for them', async () => {
      let release = () => undefined as void;
      const held = new Promise<void>((resolve) => (release = resolve));
      const slow = reader('slow', { handle: () => held });
      const urgent = reader('urgent', { isUrgent: true });
      const runner = await run({ readers: [slow, urgent] });
      await log.append(1, []);
      await runner.poll();
      while (handled.length < 1) await pause(5);
      runner.wake(realm(1), await log.append(1, []));
      while (handled.length < 2) await pause(5);
      expect(handled).toEqual(['urgent 1-1', 'urgent 2-2']);
      release();
      await runner.settled();
    });

    it('skip events that no client waits for when the others have read them', async () => {
      const reads: number[] = [];
      const source = altered(log.source, (page, after) => {
        reads.push(after);
        return page();
      });
      const { database, transactions } = counting();
      const urgent = reader('urgent', { isUrgent: true, hears: () => false });
      const runner = await run({ readers: [urgent, reader('other')], source, database });
      await log.append(1, []);
      await caughtUp(runner);
      reads.splice(0);
      const before = transactions();
      runner.wakeLater(realm(1), await log.append(1, []));
      await runner.settled();
      expect(handled).toEqual(['other 1-1', 'other 2-2']);
      expect(reads).toEqual([1]);
      // The others' page, and the place of the urgent one once it is quiet.
      expect(transactions() - before).toBe(2);
      expect(await positionOf('urgent')).toBe(2);
    });

    it('collect new events after a page, as long as they run', async () => {
      const runner = await run({ readers: [reader('other')], gatherMs: 60_000 });
      await log.append(1, []);
      await runner.poll();
      while (handled.length < 1) await pause(5);
      runner.wakeLater(realm(1), await log.append(1, []));
      await runner.stop();
      expect(handled).toEqual(['other 1-1']);
    });

    it('read what is new once, also those that take it later', async () => {
      const reads: number[] = [];
      const source = altered(log.source, (page, after) => {
        reads.push(after);
        return page();
      });
      const runner = await run({ readers: [reader('urgent', { isUrgent: true }), reader('other')], source });
      await log.append(1, []);
      await caughtUp(runner);
      reads.splice(0);
      for (let n = 0; n < 3; n++) {
        runner.wake(realm(1), await log.append(1, []));
        await runner.settled();
      }
      expect(reads).toEqual([1, 2, 3]);
    });
  });

  describe('in several processes', () => {
    const REALMS = 6;
    const read = new Map<string, Set<RealmId>>();
    /** The shares of which each process hears. */
    const woken = new Map<string, readonly Share[]>();
    const follower: CheckpointedReader = { name: 'follower', begins: 'beginning', handle: async () => undefined };

    /** A process that has begun to share the realms with the others. */
    async function start(name: string): Promise<BackgroundRunner> {
      const mine = new Set<RealmId>();
      read.set(name, mine);
      const source: EventSource = {
        ...altered(log.source, (page) => page()),
        page: (realmId, after, limit, client) => {
          mine.add(realmId);
          return log.source.page(realmId, after, limit, client);
        },
      };
      const hold = async (shares: readonly Share[]) => void woken.set(name, shares);
      const runner = await run({ readers: [follower], source, hold });
      runner.start();
      return runner;
    }
    /** One that was there a moment ago. */
    const another = (follows: string) =>
      log.database.pool.query('INSERT INTO follower_processes VALUES ($1, $2, $3)', [
        randomUUID(),
        follows,
        log.clock.now(),
      ]);
    const heldBy = (runner: BackgroundRunner) =>
      Array.from({ length: REALMS }, (_, n) => realm(n + 1)).filter((realmId) => runner.isHeld(realmId));
    const holding = async (runner: BackgroundRunner, count: number) => {
      while (heldBy(runner).length !== count) await pause(5);
    };
    const growing = async () => {
      for (let id = 1; id <= REALMS; id++) await log.append(id, []);
    };
    const followed = async () => {
      const { pool } = log.database;
      const behind = `SELECT FROM realm_heads h LEFT JOIN projection_checkpoints c USING (realm_id)
        WHERE c.position IS DISTINCT FROM h.position`;
      while ((await pool.query(behind)).rowCount !== 0) await pause(5);
    };

    it('share the realms evenly, and read only what they follow', async () => {
      await growing();
      const first = await start('first');
      await followed();
      expect(heldBy(first)).toHaveLength(REALMS);
      const second = await start('second');
      await Promise.all([holding(first, REALMS / 2), holding(second, REALMS / 2)]);
      const sharesOf = (runner: BackgroundRunner) => heldBy(runner).map(shareOf);
      expect(woken.get('first')).toEqual(expect.arrayContaining(sharesOf(first)));
      expect(woken.get('second')).toEqual(expect.arrayContaining(sharesOf(second)));
      expect([...woken.values()].flat().sort()).toEqual([...ALL_SHARES].sort());
      for (const realms of read.values()) realms.clear();
      await growing();
      await followed();
      expect([...(read.get('first') ?? [])].sort()).toEqual(heldBy(first));
      expect([...(read.get('second') ?? [])].sort()).toEqual(heldBy(second));
      expect([...heldBy(first), ...heldBy(second)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
      await second.stop();
      await growing();
      await followed();
      expect(heldBy(first)).toHaveLength(REALMS);
      expect([woken.get('first'), woken.get('second')]).toEqual([ALL_SHARES, []]);
    });

    it('share with no process that follows something else, such as another release', async () => {
      await another('64 shares: follower:2');
      await growing();
      const alone = await start('alone');
      await followed();
      expect(heldBy(alone)).toHaveLength(REALMS);
    });

    it('take over the realms of a dead process', async () => {
      await another('64 shares: follower:1');
      await growing();
      const alone = await start('alone');
      await holding(alone, REALMS / 2);
      log.clock.advance(1_300);
      await followed();
      expect(heldBy(alone)).toHaveLength(REALMS);
    });

    it('leave no realm to a process that catches up by itself', async () => {
      await growing();
      await another('64 shares: follower:1');
      await caughtUp(await run({ readers: [follower] }));
      await followed();
    });
  });
});
