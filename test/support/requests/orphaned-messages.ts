import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';

/** How often it is looked, and how long at most, in milliseconds. */
const LOOK_MS = 50;
const PATIENCE_MS = 60_000;

/** Resolves when a worker has deleted all messages that deactivated users had ordered to delete. */
export async function noOrphanedMessages({ database }: Pick<Kernel, 'database'>): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    if ((await database.pool.query('SELECT FROM view.disowned_messages')).rowCount === 0) return;
    await pause(LOOK_MS);
  }
  throw new Error('messages are still to be deleted');
}
