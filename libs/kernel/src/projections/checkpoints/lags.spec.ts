import type { Pool } from 'pg';
import pino from 'pino';
import { BackgroundRunner } from '../running/background-runner';
import { followerLags, oldestBehind } from './lags';
import { counted, counts, projection, times } from '../spec-support/counting';
import { SpecLog } from '../spec-support/spec-log';

describe('the oldest event that a follower has to apply', () => {
  it('is that of the realm that waits longest, and null for a follower that is up to date or follows nothing', async () => {
    const log = await SpecLog.open();
    const runner = new BackgroundRunner(
      { ...log.deps, store: log.store, log: pino({ level: 'silent' }) },
      [counts],
      [],
    );
    try {
      await log.store.ensureLive([counts, projection('others')]);
      const { pool } = log.database;
      expect(await oldestBehind(pool, 'counts')).toBeNull();
      await log.append(1, ...times(5, counted));
      await runner.poll();
      await runner.settled();
      expect([await oldestBehind(pool, 'counts'), await oldestBehind(pool, 'others')]).toEqual([null, 1]);
      // In these logs an event's time is its position.
      await log.append(1, ...times(4, counted));
      expect(await oldestBehind(pool, 'counts')).toBe(6);
      await log.append(2, ...times(3, counted));
      expect(await oldestBehind(pool, 'counts')).toBe(1);
      expect(await oldestBehind(pool, 'nobody')).toBeNull();
    } finally {
      await runner.stop();
      await log.close();
    }
  });
});

describe('followers', () => {
  it('have not moved since their last step, or since their next event was written', async () => {
    const log = await SpecLog.open();
    const runner = new BackgroundRunner(
      { ...log.deps, store: log.store, log: pino({ level: 'silent' }) },
      [counts],
      [],
    );
    const standing = async () => {
      const lags = await followerLags(log.database.pool);
      return lags.map(({ name, realmId, behind, behindSince }) => [name, realmId, behind, behindSince]);
    };
    try {
      await log.store.ensureLive([counts, projection('others')]);
      await log.append(1, ...times(5, counted));
      await log.append(2, ...times(2, counted));
      await runner.poll();
      await runner.settled();
      const lastStep = log.clock.now();
      // In these logs an event's time is its position.
      expect(await standing()).toEqual([
        ['counts', 1, 0, null],
        ['counts', 2, 0, null],
        ['others', 1, 5, 1],
        ['others', 2, 2, 1],
      ]);
      log.clock.advance(60_000);
      await log.append(1, ...times(3, counted));
      expect((await standing())[0]).toEqual(['counts', 1, 3, lastStep]);
    } finally {
      await runner.stop();
      await log.close();
    }
  });

  it('are looked at without reading the log, however long it is', async () => {
    const log = await SpecLog.open();
    try {
      await log.store.ensureLive([counts, projection('others')]);
      await log.append(1, ...times(2_000, counted));
      const read = await log.database.snapshot(async (client) => {
        await followerLags(client as unknown as Pool);
        await oldestBehind(client as unknown as Pool, 'counts');
        const { rows } = await client.query<{ rows: number }>(
          `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int4 AS rows FROM pg_stat_xact_user_tables
             WHERE relname ~ '^events'`,
        );
        return rows[0]?.rows;
      });
      expect(read).toBeLessThanOrEqual(3);
      expect(read).toBeGreaterThan(0);
    } finally {
      await log.close();
    }
  });
});
