import type { Kernel, Verification } from '@annals/kernel';
import { realmsKnown } from '@annals/kernel';
import { progress } from '../progress';

/**
 * `annals verify`: checks hashes, commitments and gaplessness of every realm's log, or of one, and that it ends where all
 * who have followed it say.
 *
 * @returns 0 when every log is whole, 1 when one is not
 */
export async function verify(
  kernel: Kernel,
  realm: number | undefined,
  print: (line: string) => void,
): Promise<number> {
  const known = await realmsKnown(kernel.database.pool);
  const realms = known.filter((id) => realm === undefined || id === realm);
  if (realms.length === 0) {
    print(realm === undefined ? 'There is no organization yet.' : `There is no realm ${realm}.`);
    return realm === undefined ? 0 : 1;
  }
  let failures = 0;
  for (const realmId of realms) {
    const bar = progress(`realm ${realmId}`);
    const result = await kernel.verify(realmId, (done, total) => bar.update(done, total));
    bar.stop();
    print(describe(result));
    if (result.failure) failures++;
  }
  return failures === 0 ? 0 : 1;
}

function describe({ realmId, events, erased, failure }: Verification): string {
  if (!failure)
    return `realm ${realmId}: ${events} events, intact${erased > 0 ? `; the text of ${erased} was erased` : ''}`;
  return `realm ${realmId}: broken at position ${failure.position}: ${failure.what} (the ${events} events before it are intact)`;
}
