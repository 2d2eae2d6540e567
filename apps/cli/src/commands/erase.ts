import type { Kernel } from '@annals/kernel';
import { Erasures } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';

const DAY_MS = 86_400_000;

/**
 * `annals erase`: forgets for good the words of what was deleted, as a worker does by itself when their time of grace is
 * over. Ended anywhere, it may be run again.
 *
 * @param graceDays how long what was deleted stays in the log
 * @returns 0
 */
export async function erase(kernel: Kernel, graceDays: number, print: (line: string) => void): Promise<number> {
  const until = (kernel.clock.now() - graceDays * DAY_MS) as Instant;
  const { orders, events } = await new Erasures(kernel).sweep(until);
  print(orders === 0 ? 'Nothing is to be erased.' : `${orders} deletions: the words of ${events} events are gone.`);
  return 0;
}
