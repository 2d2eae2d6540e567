import type { Position } from '../../domain/index';
import type { EventSource } from './event-source';
import { followerLags } from '../checkpoints/lags';
import type { CountingLog } from '../spec-support/counting-log';
import { openCountingLog } from '../spec-support/counting-log';
import { counted, counts, realm, times } from '../spec-support/counting';
import { altered } from '../spec-support/sources';
import { caughtUp } from '../spec-support/runners';
import type { SpecLog } from '../spec-support/spec-log';
import { liveSchema } from '../definition/tables';

describe('a background projection of a log or checkpoint that was restored', () => {
  let log: SpecLog;
  let run: CountingLog['run'];
  let countOf: CountingLog['countOf'];
  let close: CountingLog['close'];
  beforeEach(async () => {
    ({ log, run, countOf, close } = await openCountingLog());
  });
  afterEach(() => close());

  it('neither waits nor moves back if the heads are read from a replica that lags', async () => {
    await log.append(1, ...times(5, counted));
    await caughtUp(run());
    const replica: EventSource = {
      page: (realmId, after, limit) => log.source.page(realmId, after, Math.min(limit, Math.max(3 - after, 0))),
      heads: async () => new Map([[realm(1), 3 as Position]]),
      lockHeads: (client) => log.source.lockHeads(client),
      ensureContains: (event) => log.source.ensureContains(event),
    };
    const runner = run([counts], { source: replica });
    await caughtUp(runner);
    expect(runner.status()).toMatchObject([{ lag: 0, ahead: [1], parked: [] }]);
    runner.wake(realm(1), await log.append(1, counted));
    await runner.settled();
    expect(await countOf(1)).toBe(5);
    expect(await log.checkpoint('counts', 1)).toEqual({ position: 5, status: 'running' });
  });

  it('stops and reports it if its checkpoint is beyond the end of the log', async () => {
    await log.append(1, ...times(5, counted));
    await log.append(2, counted);
    await caughtUp(run());
    await log.database.pool.query('UPDATE projection_checkpoints SET position = 9 WHERE realm_id = 1');
    const runner = run();
    await caughtUp(runner);
    const error = 'is at 9, but the log ends at 5: after a restore run "annals restored"';
    expect(runner.status()).toMatchObject([{ ahead: [1], parked: [{ realmId: 1, position: 9, error }] }]);
    expect(await log.store.parked()).toMatchObject([{ projection: 'counts', realmId: 1, position: 9, error }]);
    expect(await followerLags(log.database.pool)).toMatchObject([
      { name: 'counts', realmId: 1, behind: 0, ahead: 4, parked: true },
      { name: 'counts', realmId: 2, behind: 0, ahead: 0, parked: false },
      { name: 'others', realmId: 1, behind: 5, ahead: 0 },
      { name: 'others', realmId: 2, behind: 1, ahead: 0 },
    ]);
    // Positions are given again. It does not continue in the middle of events that it never read.
    await log.append(1, ...times(7, counted));
    await caughtUp(runner);
    expect([await countOf(1), await countOf(2)]).toEqual([5, 1]);
    expect(await log.checkpoint('counts', 1)).toEqual({ position: 9, status: 'parked' });
  });

  it('applies nothing more if log and checkpoint were restored to an earlier state while it ran', async () => {
    await log.append(1, ...times(5, counted));
    const runner = run();
    await caughtUp(runner);
    await log.database.pool.query('UPDATE projection_checkpoints SET position = 3 WHERE realm_id = 1');
    await log.database.pool.query('UPDATE realm_heads SET position = 4 WHERE realm_id = 1');
    await caughtUp(runner);
    // Its earlier reads may be of events that no longer exist, so only a new process continues.
    expect(await log.checkpoint('counts', 1)).toMatchObject({ position: 3 });
    expect(await log.store.parked()).toEqual([]);
    const [{ failing } = { failing: [] }] = runner.status();
    expect(failing).toEqual([{ realmId: 1, error: 'the log of realm 1 does not hold what was read at 5' }]);
  });

  it('continues from a checkpoint that a crash set back, also if the log does not grow', async () => {
    await log.append(1, ...times(5, counted));
    const runner = run();
    await caughtUp(runner);
    await log.database.pool.query('UPDATE projection_checkpoints SET position = 3 WHERE realm_id = 1');
    await log.database.pool.query(`UPDATE ${liveSchema(counts)}.counts SET n = 3`);
    await caughtUp(runner);
    expect(await countOf(1)).toBe(5);
    expect(await log.checkpoint('counts', 1)).toEqual({ position: 5, status: 'running' });
    expect(runner.status()).toMatchObject([{ lag: 0, failing: [] }]);
  });

  it('applies no page that was read before the log was restored', async () => {
    await log.append(1, ...times(3, counted));
    const source = altered(log.source, async (page) => {
      const events = await page();
      return events.map((event) => ({ ...event, commandId: '00000000-0000-4000-8000-00000000dead' }));
    });
    const runner = run([counts], { source });
    await caughtUp(runner);
    expect(await log.rows('counts')).toEqual([]);
    const [{ failing } = { failing: [] }] = runner.status();
    expect(failing).toEqual([{ realmId: 1, error: 'the log of realm 1 does not hold what was read at 3' }]);
  });
});
