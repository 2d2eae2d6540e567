import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { untilLanesWait } from '../../../libs/kernel/src/spec-support/waiting-lanes';
import type { Answer } from '../server/caller';

/** Two acts in the order in which they reach the lock. */
export type Acts = readonly [first: () => Promise<Answer>, second: () => Promise<Answer>];

const FIRST = 1 as RealmId;

/**
 * Locks the head of the realm until both acts wait for it: the second has decided on the same facts as the first, and
 * finds what the first wrote under the lock. Of acts in two realms, the second waits until the first has its answer.
 *
 * @param acts each on a process of its own, which has one lane
 * @param realms those of the acts
 */
export async function race(
  kernel: Kernel,
  acts: Acts,
  [one = FIRST, other = one]: readonly RealmId[] = [],
): Promise<readonly [first: Answer, second: Answer]> {
  const { database } = kernel;
  const answers: Promise<Answer>[] = [];
  const begin = async (act: () => Promise<Answer>) => {
    answers.push(act());
    await untilLanesWait(database.pool, answers.length);
  };
  if (one === other) await holding(kernel, one, async () => begin(acts[0]).then(() => begin(acts[1])));
  else
    await holding(kernel, other, async () => {
      await holding(kernel, one, async () => begin(acts[0]).then(() => begin(acts[1])));
      await answers[0];
    });
  const [first, second] = await Promise.all(answers);
  if (!first || !second) throw new Error('one of them gave no answer');
  return [first, second];
}

/** Runs while the head of a realm is locked. */
const holding = ({ database }: Kernel, realmId: RealmId, run: () => Promise<unknown>): Promise<void> =>
  database.transaction('BEGIN', async (client) => {
    await client.query('SELECT FROM realm_heads WHERE realm_id = $1 FOR UPDATE', [realmId]);
    await run();
  });
