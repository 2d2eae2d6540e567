import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { RealmId } from '../../domain/index';
import type { Share } from '../../wake-ups/notice';
import { ALL_SHARES, shareOf } from '../../wake-ups/notice';
import type { BackgroundRunner } from './background-runner';
import type { CheckpointedReader } from './checkpointed-reader';
import type { EventSource } from './event-source';
import { realm } from '../spec-support/counting';
import { altered } from '../spec-support/sources';
import type { RunnerParts } from '../spec-support/runners';
import { SpecRunners, caughtUp } from '../spec-support/runners';
import { SpecLog } from '../spec-support/spec-log';

describe('followers of the log in several processes', () => {
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

  const REALMS = 6;
  const read = new Map<string, Set<RealmId>>();
  /** The shares to which each process listens. */
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
  /** A process that announced itself a moment ago. */
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
