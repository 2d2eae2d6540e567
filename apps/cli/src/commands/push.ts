import type { Kernel } from '@annals/kernel';
import { readDeadLetters, retryDeadLetters } from '@annals/push';

/** More lines are of no use. */
const SHOWN = 1_000;

type Print = (line: string) => void;

/** `annals push list`: the dead letters of push notifications with their reasons, the newest first. @returns 0 */
export async function listPushes(kernel: Kernel, json: boolean, print: Print): Promise<number> {
  const all = await readDeadLetters(kernel.database.pool, SHOWN);
  for (const { at, ...letter } of all) {
    const shown = { ...letter, at: new Date(at).toISOString() };
    const { kind, realmId, position, reason } = shown;
    print(json ? JSON.stringify(shown) : `${shown.at} realm ${realmId}, position ${position}, ${kind}: ${reason}`);
  }
  if (all.length === 0 && !json) print('No push notification has failed.');
  return 0;
}

/** `annals push retry`: makes all of them due again. @returns 0 */
export async function retryPushes(kernel: Kernel, print: Print): Promise<number> {
  const count = await retryDeadLetters(kernel.database.pool, kernel.clock.now());
  print(count === 0 ? 'No push notification has failed.' : `${count} will be tried again.`);
  return 0;
}
