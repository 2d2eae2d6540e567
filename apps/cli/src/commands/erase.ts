import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import { BackgroundRunner, Erasures } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';

const DAY_MS = 86_400_000;
/** The read model that lists what is to be erased. */
const INDEX = 'subjects';
/** How long the index may stand still, because another process works on it, before it is given up. */
const PATIENCE_MS = 5_000;

/**
 * `annals erase`: forgets for good the words of what was deleted, as a worker does by itself when their time of grace is
 * over. Ended anywhere, it may be run again.
 *
 * @param graceDays how long what was deleted stays in the log
 * @returns 0, or 1 when it cannot be known what is to be erased, or not all of it could be
 */
export async function erase(kernel: Kernel, graceDays: number, print: (line: string) => void): Promise<number> {
  const until = (kernel.clock.now() - graceDays * DAY_MS) as Instant;
  if (!(await isIndexed(kernel))) {
    print(`Nothing was erased, because the read model ${INDEX} is not up to date. See annals status.`);
    return 1;
  }
  const { orders, events, waiting } = await new Erasures(kernel).sweep(until);
  if (waiting > 0) {
    print(`${waiting} deletions wait for read models that are being built. Run annals erase again later.`);
    return 1;
  }
  print(orders === 0 ? 'Nothing has to be erased.' : `${orders} deletions: the text of ${events} events was erased.`);
  return 0;
}

/** Brings the index to where the logs are now, so that nothing that was deleted before is left out. */
async function isIndexed(kernel: Kernel): Promise<boolean> {
  const { database, events: source, store, clock, projections } = kernel;
  const deps = { database, source, store, clock, log: kernel.options.log };
  const runner = new BackgroundRunner(
    deps,
    projections.filter(({ name }) => name === INDEX),
  );
  const heads = await source.heads();
  let [last, giveUp] = ['', 0];
  for (;;) {
    await runner.poll();
    await runner.settled();
    const followers = (await kernel.lags()).filter(({ name, isBuild }) => name === INDEX && !isBuild);
    const behind = followers.filter(({ realmId, position }) => position < (heads.get(realmId) ?? 0));
    if (behind.length === 0) return true;
    const stand = JSON.stringify(behind.map(({ realmId, position }) => [realmId, position]));
    if (stand !== last) [last, giveUp] = [stand, performance.now() + PATIENCE_MS];
    if (behind.some(({ parked }) => parked) || performance.now() > giveUp) return false;
    await pause(100);
  }
}
