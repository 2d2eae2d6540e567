import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import { BackgroundRunner, Erasures, StorageCleanup } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';

/** How long a read model may make no progress, because another process works on it. */
const PATIENCE_MS = 5_000;

/**
 * `annals erase`: erases the texts of what was deleted, like a worker after the grace period. It may be stopped
 * anywhere and run again.
 *
 * @param graceDays how long what was deleted remains in the log
 * @returns 0, or 1 when it cannot be known what has to be erased, or not all of it could be
 */
export async function erase(kernel: Kernel, graceDays: number, print: (line: string) => void): Promise<number> {
  const until = (kernel.clock.now() - graceDays * DAY_MS) as Instant;
  const late = await catchUp(kernel);
  if (late !== null) {
    print(`Nothing was erased, because the read model ${late} is not up to date. See annals status.`);
    return 1;
  }
  const { orders, events, waiting } = await new Erasures(kernel).sweep(until);
  if (waiting > 0) {
    print(`${waiting} deletions wait for read models that are being built. Run annals erase again later.`);
    return 1;
  }
  print(orders === 0 ? 'Nothing has to be erased.' : `${orders} deletions: the text of ${events} events was erased.`);
  return cleanUp(kernel, print);
}

/** Removes what PostgreSQL keeps of what was erased, also by workers. @returns 0, or 1 when some of it is left */
async function cleanUp(kernel: Kernel, print: (line: string) => void): Promise<number> {
  const cleaned = await new StorageCleanup(kernel).run({ now: true });
  if (cleaned === null) return 0;
  if (cleaned.left !== null) {
    print(`PostgreSQL may still have copies of erased texts (${cleaned.left}). Run annals erase again later.`);
    return 1;
  }
  print(
    `Copies that PostgreSQL had of erased texts were removed: ${cleaned.tables} tables, ${cleaned.indexes} indexes.`,
  );
  return 0;
}

/**
 * Brings the background read models to the present heads: one lists what has to be erased, so that nothing is left out,
 * and others may contain texts until they have followed.
 *
 * @returns the name of one that cannot be brought there. Null if all are
 */
async function catchUp(kernel: Kernel): Promise<string | null> {
  const { database, events: source, store, clock } = kernel;
  const followed = kernel.projections.filter(({ lifecycle }) => lifecycle === 'background');
  const names = new Set(followed.map(({ name }) => name));
  const runner = new BackgroundRunner({ database, source, store, clock, log: kernel.options.log }, followed);
  const heads = await source.heads();
  let [last, giveUp] = ['', 0];
  for (;;) {
    await runner.poll();
    await runner.settled();
    const followers = (await kernel.lags()).filter(({ name, isBuild }) => names.has(name) && !isBuild);
    const behind = followers.filter(({ realmId, position }) => position < (heads.get(realmId) ?? 0));
    const [late] = behind;
    if (late === undefined) return null;
    const stand = JSON.stringify(behind.map(({ name, realmId, position }) => [name, realmId, position]));
    if (stand !== last) [last, giveUp] = [stand, performance.now() + PATIENCE_MS];
    const parked = behind.find((follower) => follower.parked);
    if (parked || performance.now() > giveUp) return (parked ?? late).name;
    await pause(100);
  }
}
