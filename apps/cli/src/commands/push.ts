import type { Kernel } from '@annals/kernel';
import type { Command } from 'commander';
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

interface PushTools {
  readonly withKernel: (run: (kernel: Kernel) => Promise<number>) => Promise<void>;
  readonly print: (line: string) => void;
}

/** Adds `annals push …`. */
export function addPushCommands(program: Command, { withKernel, print }: PushTools): void {
  const push = program.command('push').description('failed push notifications');
  push
    .command('list')
    .description('list failed push notifications with reason and time, newest first')
    .option('--json', 'print one JSON object a line')
    .action((options: { json?: boolean }) => withKernel((kernel) => listPushes(kernel, options.json ?? false, print)));
  push
    .command('retry')
    .description('try all of them again')
    .action(() => withKernel((kernel) => retryPushes(kernel, print)));
}
