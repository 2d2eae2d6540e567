import type { Kernel } from '@annals/kernel';
import { untilLanesWait } from '../../../libs/kernel/src/spec-support/waiting-lanes';
import type { Answer } from '../server/caller';

/** Two acts in the order in which they reach the lock. */
export type Acts = readonly [first: () => Promise<Answer>, second: () => Promise<Answer>];

/**
 * Locks the head of the realm until both acts wait for it: the second has decided on the same facts as the first, and
 * finds what the first wrote under the lock.
 *
 * @param acts each on a process of its own, which has one lane
 */
export async function race({ database }: Kernel, acts: Acts): Promise<readonly [first: Answer, second: Answer]> {
  const answers: Promise<Answer>[] = [];
  await database.transaction('BEGIN', async (client) => {
    await client.query('SELECT FROM realm_heads WHERE realm_id = 1 FOR UPDATE');
    for (const act of acts) {
      answers.push(act());
      await untilLanesWait(database.pool, answers.length);
    }
  });
  const [first, second] = await Promise.all(answers);
  if (!first || !second) throw new Error('one of them gave no answer');
  return [first, second];
}
