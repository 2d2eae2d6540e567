import type { Database } from '@annals/kernel';
import { untilLanesWait } from '../../libs/kernel/src/spec-support/waiting-lanes';
import type { Answer } from './caller';

/**
 * Holds the head of the first realm until all stand before it: whoever comes second has decided on the same facts as
 * the first, and finds under the lock what the first wrote.
 *
 * @param acts in the order in which they come to the lock, each on a process of its own
 */
export async function race(database: Database, acts: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  await database.transaction('BEGIN', async (client) => {
    await client.query('SELECT FROM realm_heads WHERE realm_id = 1 FOR UPDATE');
    for (const act of acts) {
      answers.push(act());
      await untilLanesWait(database.pool, answers.length);
    }
  });
  return Promise.all(answers);
}
