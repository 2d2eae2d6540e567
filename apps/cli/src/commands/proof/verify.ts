import { readFileSync } from 'node:fs';
import type { ForeignCheckpoint } from '@annals/audit';
import { originsOf, parseForeign, readSignedRoots } from '@annals/audit';
import { CannotStart, reasonOf } from '@annals/embedded';
import type { Kernel, Verification } from '@annals/kernel';
import { realmsKnown } from '@annals/kernel';
import type { Position, RealmId } from '@annals/kernel/domain';
import { progress } from '../../progress';

export interface VerifyCommandOptions {
  /** Only this realm. */
  readonly realm?: number | undefined;
  /** The first position to check. */
  readonly from?: number;
  /** A file with a checkpoint that was kept elsewhere. */
  readonly against?: string;
}

/**
 * `annals verify`: checks every realm's log, or one: hashes, commitments and gaplessness, that its tree is the stored one
 * and the signed one, and that it does not end before a position that something else knows.
 *
 * @returns 0 when every log is intact, 1 when one is not
 * @throws CannotStart when the file has no checkpoint
 */
export async function verify(
  kernel: Kernel,
  { realm, from, against: file }: VerifyCommandOptions,
  print: (line: string) => void,
): Promise<number> {
  const against = file === undefined ? null : checkpointIn(file);
  const known = await realmsKnown(kernel.database.pool);
  const realms = known.filter((id) => realm === undefined || id === realm);
  if (realms.length === 0) {
    print(realm === undefined ? 'There is no organization yet.' : `There is no realm ${realm}.`);
    return realm === undefined ? 0 : 1;
  }
  if (against && !(await isOfOne(kernel, realms, against))) {
    print(`No log has the name ${against.origin}, so the given checkpoint is of another one.`);
    return 1;
  }
  let failures = 0;
  for (const realmId of realms) {
    const result = await verifyOne(kernel, realmId, from, against);
    print(describe(result));
    if (result.failure) failures++;
  }
  return failures === 0 ? 0 : 1;
}

async function verifyOne(
  kernel: Kernel,
  realmId: RealmId,
  from: number | undefined,
  against: ForeignCheckpoint | null,
): Promise<Verification> {
  // Before the log, which may grow meanwhile: it must have everything that was signed by now.
  const { roots, failure } = await readSignedRoots(kernel, realmId, against);
  const bar = progress(`realm ${realmId}`);
  const result = await kernel.verify(realmId, {
    roots,
    ...(from === undefined ? {} : { from }),
    onProgress: (done, total) => bar.update(done, total),
  });
  bar.stop();
  const found = failure && { realmId, position: failure.position as Position, what: failure.what };
  return { ...result, failure: result.failure ?? found };
}

function checkpointIn(file: string): ForeignCheckpoint {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CannotStart(`${file} cannot be read: ${reasonOf(error)}.`);
  }
  const checkpoint = parseForeign(text);
  if (!checkpoint) throw new CannotStart(`${file} has no checkpoint, as GET /audit/checkpoint gives it.`);
  return checkpoint;
}

async function isOfOne(kernel: Kernel, realms: readonly RealmId[], { origin }: ForeignCheckpoint): Promise<boolean> {
  for (const realmId of realms) if ((await originsOf(kernel, realmId)).includes(origin)) return true;
  return false;
}

function describe({ realmId, events, erased, roots, failure }: Verification): string {
  if (failure)
    return `realm ${realmId}: broken at position ${failure.position}: ${failure.what} (the ${events} events before it are intact)`;
  const more = [
    erased > 0 ? `; the text of ${erased} was erased` : '',
    roots > 0 ? `; ${roots} ${roots === 1 ? 'checkpoint agrees' : 'checkpoints agree'}` : '',
  ];
  return `realm ${realmId}: ${events} events, intact${more.join('')}`;
}
