import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/database';
import type { CheckpointedReader } from './checkpointed-reader';
import { on } from '../definition/define';
import { Asked } from '../spec-support/asked';
import { counted, counts, poison, projection, realm, times } from '../spec-support/counting';
import { altered } from '../spec-support/sources';
import type { RunnerParts } from '../spec-support/runners';
import { SpecRunners, caughtUp } from '../spec-support/runners';
import { SpecLog } from '../spec-support/spec-log';

/** Receives the same events as `counts`. */
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
  let runners: SpecRunners;

  beforeEach(async () => {
    log = await SpecLog.open();
    runners = new SpecRunners(log);
  });
  afterEach(async () => {
    await runners.stop();
    await log.close();
  });

  const run = (parts: RunnerParts) => runners.openLive(parts);
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

    it('continue without the one that fails, which joins them when it reaches them', async () => {
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
      // Other readers had handled the same events in the transaction that was rolled back.
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

    it('do nothing for events that do not concern them, and store their checkpoints when no events arrive', async () => {
      const { database, transactions } = counting();
      const deaf = reader('deaf', { concerns: ({ type }) => type === 'spec.Other' });
      const alert = reader('alert', { concerns: ({ type }) => type === Asked.type });
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
      const runner = await run({ readers: [reader('reader', { concerns: () => isListening })], database });
      await log.append(1, []);
      await caughtUp(runner);
      expect(handled).toEqual(['reader 2-2']);
      expect(await positionOf('reader')).toBe(2);
    });

    it('notify when checkpoints of skipped events are stored', async () => {
      const positions: number[] = [];
      const deaf = reader('deaf', { concerns: () => false, committed: (_, position) => void positions.push(position) });
      await log.append(1, ...times(3, []));
      await caughtUp(await run({ readers: [deaf] }));
      expect(positions).toEqual([3]);
    });

    it('store their checkpoints also if events never cease to arrive', async () => {
      const { database, transactions } = counting();
      const deaf = reader('deaf', { concerns: () => false });
      for (let n = 0; n < 5; n++) await log.append(1, ...times(499, []));
      await caughtUp(await run({ readers: [deaf], database, pageSize: 500 }));
      // After three pages, and when no events arrive any more.
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
      const urgent = reader('urgent', { isUrgent: true, concerns: () => false });
      const runner = await run({ readers: [urgent, reader('other')], source, database });
      await log.append(1, []);
      await caughtUp(runner);
      reads.splice(0);
      const before = transactions();
      runner.wakeLater(realm(1), await log.append(1, []));
      await runner.settled();
      expect(handled).toEqual(['other 1-1', 'other 2-2']);
      expect(reads).toEqual([1]);
      // The page of the others, and the checkpoint of the urgent one after the last event.
      expect(transactions() - before).toBe(2);
      expect(await positionOf('urgent')).toBe(2);
    });

    it('collect new events after a page, as long as the group runs', async () => {
      const runner = await run({ readers: [reader('other')], gatherMs: 60_000 });
      await log.append(1, []);
      await runner.poll();
      while (handled.length < 1) await pause(5);
      runner.wakeLater(realm(1), await log.append(1, []));
      await runner.stop();
      expect(handled).toEqual(['other 1-1']);
    });

    it('read new events once, also those that apply them later', async () => {
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
});
