import type { CheckpointedReader } from './checkpointed-reader';
import { on } from '../definition/define';
import type { EventSource } from './event-source';
import { PageFollower, projectionConsumer } from './page-follower';
import { Asked, doAsAsked } from '../spec-support/asked';
import type { CountingLog } from '../spec-support/counting-log';
import { openCountingLog } from '../spec-support/counting-log';
import { counted, counts, overflow, poison, projection, realm, times } from '../spec-support/counting';
import { altered } from '../spec-support/sources';
import { caughtUp } from '../spec-support/runners';
import type { SpecLog } from '../spec-support/spec-log';

describe('a background projection', () => {
  let log: SpecLog;
  let run: CountingLog['run'];
  let countOf: CountingLog['countOf'];
  let close: CountingLog['close'];
  beforeEach(async () => {
    ({ log, run, countOf, close } = await openCountingLog());
  });
  afterEach(() => close());

  it('follows the log in pages, several realms at once', async () => {
    await log.append(1, ...times(35, counted));
    await log.append(2, ...times(5, counted));
    const runner = run();
    await caughtUp(runner);
    expect([await countOf(1), await countOf(2)]).toEqual([35, 5]);
    expect(await log.checkpoint('counts', 1)).toEqual({ position: 35, status: 'running' });
    expect(runner.status()).toMatchObject([{ name: 'counts', lag: 0, realmsBehind: 0, parked: [], failing: [] }]);
  });

  it('reads a page once for all followers at the same position, and the next one meanwhile', async () => {
    await log.append(1, ...times(25, counted));
    const pages: number[] = [];
    const source = altered(log.source, (read, after) => {
      pages.push(after);
      return read();
    });
    await caughtUp(
      run(
        [
          counts,
          projection(
            'others',
            1,
            on(Asked, () => undefined),
          ),
        ],
        { source },
      ),
    );
    expect(pages).toEqual([0, 10, 20]);
    expect(await log.checkpoint('others', 1)).toEqual({ position: 25, status: 'running' });
  });

  it('continues at a wake-up, without reading the heads', async () => {
    const runner = run();
    await caughtUp(runner);
    runner.wake(realm(1), await log.append(1, counted));
    await runner.settled();
    expect(await countOf(1)).toBe(1);
  });

  it('notices a wake-up that arrives while it works', async () => {
    await log.append(1, counted);
    let whileReading = async () => undefined as unknown;
    const source = altered(log.source, async (page) => {
      const events = await page();
      await whileReading();
      return events;
    });
    const runner = run([counts], { source });
    whileReading = async () => {
      whileReading = async () => undefined;
      runner.wake(realm(1), await log.append(1, counted));
    };
    await caughtUp(runner);
    expect(await countOf(1)).toBe(2);
  });

  it('is applied once, however many processes follow', async () => {
    await log.append(1, ...times(120, counted));
    await log.append(2, ...times(60, counted));
    const several = [run(), run([counts], { pageSize: 7 }), run([counts], { concurrency: 4, pageSize: 3 })];
    await Promise.all(several.map(caughtUp));
    expect([await countOf(1), await countOf(2)]).toEqual([120, 60]);
  });

  it('parks the event that it cannot apply, and stops in that realm only', async () => {
    await log.append(1, ...times(13, counted), poison, ...times(3, counted));
    await log.append(2, counted);
    const runner = run([
      counts,
      projection(
        'others',
        1,
        on(Asked, () => undefined),
      ),
    ]);
    await caughtUp(runner);
    expect([await countOf(1), await countOf(2)]).toEqual([13, 1]);
    expect(await log.checkpoint('counts', 1)).toEqual({ position: 13, status: 'parked' });
    expect(await log.checkpoint('others', 1)).toEqual({ position: 17, status: 'running' });
    const [parked, ...others] = await log.store.parked();
    expect(others).toEqual([]);
    expect(parked).toMatchObject({ projection: 'counts', realmId: 1, position: 14, parkedAt: log.clock.now() });
    expect(parked?.error).toContain('not like this');
    expect(runner.status()[0]?.parked).toMatchObject([{ realmId: 1, position: 14 }]);
    await log.append(1, counted);
    await caughtUp(runner);
    expect(await countOf(1)).toBe(13);
  });

  it('finds the event that PostgreSQL refuses within a page, and stores everything before it', async () => {
    await log.append(1, ...times(6, counted), overflow, counted);
    await caughtUp(run());
    expect(await countOf(1)).toBe(6);
    expect(await log.store.parked()).toMatchObject([{ realmId: 1, position: 7, error: 'integer out of range' }]);
  });

  it('parks an event that cannot be read', async () => {
    await log.append(1, ...times(6, counted));
    const source = altered(log.source, async (page, after, limit) => {
      if (after + limit > 4 && after < 5) throw new Error('no upcaster from version 1');
      return page();
    });
    await caughtUp(run([counts], { source }));
    expect(await countOf(1)).toBe(4);
    expect(await log.store.parked()).toMatchObject([{ position: 5, error: 'no upcaster from version 1' }]);
  });

  it('continues at the parked event when it is resumed with better code', async () => {
    await log.append(1, ...times(3, counted), poison, counted);
    const runner = run();
    await caughtUp(runner);
    expect(await runner.resume('counts', realm(1))).toBe(true);
    await runner.settled();
    expect(await log.store.parked()).toMatchObject([{ position: 4 }]);
    await runner.stop();

    const better = on(Asked, (event, rows) => {
      if (event.data.every((one) => one.do !== 'throw')) doAsAsked.handle(event, rows);
    });
    const repaired = run([projection('counts', 1, better)]);
    await caughtUp(repaired);
    expect(await countOf(1)).toBe(3);
    expect(await repaired.resume('counts', realm(2))).toBe(false);
    expect(await repaired.resume('counts', realm(1))).toBe(true);
    await repaired.settled();
    expect(await countOf(1)).toBe(4);
    expect(await log.store.parked()).toEqual([]);
  });

  it('waits and tries again when the failure is not caused by the event', async () => {
    await log.append(1, counted);
    let down = true;
    const source = altered(log.source, async (page) => {
      if (down) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      return page();
    });
    const runner = run([counts], { source });
    await caughtUp(runner);
    expect(runner.status()).toMatchObject([{ parked: [], failing: [{ realmId: 1, error: 'connect ECONNREFUSED' }] }]);
    down = false;
    await caughtUp(runner);
    expect(await countOf(1)).toBeUndefined();
    log.clock.advance(1_000);
    await caughtUp(runner);
    expect(await countOf(1)).toBe(1);
    expect(runner.status()[0]?.failing).toEqual([]);
  });

  it('does not wait long after a failure of all realms', async () => {
    await log.append(1, counted);
    let down = true;
    const refuse = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    const source: EventSource = {
      ...altered(log.source, (page) => (down ? refuse() : page())),
      heads: (realms, client) => (down ? refuse() : log.source.heads(realms, client)),
    };
    const runner = run([counts], { source });
    runner.wake(realm(1), 1);
    await expect(runner.poll()).rejects.toThrow('ECONNREFUSED');
    runner.wake(realm(1), 1);
    await runner.settled();
    expect(runner.status()).toMatchObject([{ failing: [{ realmId: 1 }] }]);
    down = false;
    await caughtUp(runner);
    expect(await countOf(1)).toBe(1);
  });

  it('is left alone by a process whose code has another version', async () => {
    await log.append(1, counted);
    const runner = run([projection('counts', 2)]);
    await caughtUp(runner);
    expect(runner.status()).toMatchObject([{ generation: null }]);
    expect(await log.rows('counts')).toEqual([]);
  });

  it('generations: a follower of one that is not in use applies nothing', async () => {
    await log.append(1, counted);
    const follower = new PageFollower(log.deps, projectionConsumer(counts), { projection: 'counts', generation: 99 });
    const events = await log.source.page(realm(1), 0, 10);
    expect(await follower.apply(realm(1), 0, events)).toMatchObject({ kind: 'overtaken' });
    expect(await log.rows('counts')).toEqual([]);
  });

  it('reads the heads by itself after its start, and has finished its page when it has stopped', async () => {
    let report: (count: number) => void = () => undefined;
    const reported = new Promise<number>((resolve) => (report = resolve));
    const reader: CheckpointedReader = {
      name: 'counter',
      begins: 'beginning',
      handle: async (events) => report(events.length),
    };
    await log.store.ensureReaders([reader]);
    const runner = run([counts], { readers: [reader], pollMs: 5 });
    runner.start();
    await log.append(1, counted);
    expect(await reported).toBe(1);
    await runner.stop();
    expect(await log.checkpoint('counter', 1)).toEqual({ position: 1, status: 'running' });
  });
});
