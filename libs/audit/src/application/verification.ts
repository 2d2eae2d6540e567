import type { ExpectedRoot, Kernel, SplitNote, Verifier } from '@annals/kernel';
import { isSignedBy, parseCheckpoint, splitNote } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { endorsementText } from '../domain/signing-key';
import { readCheckpoints } from '../read/checkpoints';
import type { KeyPeriod } from '../read/signing-keys';
import { keyAt, readSigningKeys } from '../read/signing-keys';

/** What was signed about a log, for `annals verify`. */
export interface SignedRoots {
  readonly roots: readonly ExpectedRoot[];
  /** The first signature that is not true. */
  readonly failure: { readonly position: number; readonly what: string } | null;
}

const EVERYTHING = { sizeAfter: null, sizeUpTo: null, timeAfter: null, timeUpTo: null } as const;

/**
 * The roots of all kept checkpoints of a log.
 *
 * @param against a checkpoint that somebody kept elsewhere
 */
export async function readSignedRoots(
  kernel: Pick<Kernel, 'database' | 'events'>,
  realmId: RealmId,
  against: ForeignCheckpoint | null,
): Promise<SignedRoots> {
  const keys = await readSigningKeys(kernel, realmId);
  const kept = await readCheckpoints(kernel.database.pool, realmId, EVERYTHING, Number.MAX_SAFE_INTEGER);
  const roots: ExpectedRoot[] = [];
  let failure = brokenEndorsement(keys);
  for (const { size, note } of new Map(kept.map((one) => [one.size, one])).values()) {
    const key = keyAt(keys, size);
    const root = key && rootIn(note, size, key.verifier);
    if (root) roots.push({ size, root, what: `the checkpoint of ${size}` });
    else failure ??= { position: size, what: `the checkpoint of ${size} is not signed with the key of the log` };
  }
  if (against && keys.some(({ verifier }) => verifier.name === against.origin)) {
    const { size, root, origin } = against;
    roots.push({ size, root, what: `the given checkpoint of ${size}` });
    const own = keys.filter(({ verifier }) => verifier.name === origin);
    if (!own.some(({ verifier }) => isSignedBy(against.note, verifier)))
      failure ??= { position: size, what: `the given checkpoint of ${size} is not signed with a key of the log` };
  }
  return { roots, failure };
}

/** A checkpoint that somebody kept, whose signature is not verified yet. */
export interface ForeignCheckpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  readonly note: SplitNote;
}

/** The checkpoint in a file. Null if it is none. */
export function parseForeign(text: string): ForeignCheckpoint | null {
  const note = splitNote(text);
  const checkpoint = note && parseCheckpoint(note.text);
  return note && checkpoint ? { ...checkpoint, note } : null;
}

/** Names under which a log was signed. */
export const originsOf = async (kernel: Pick<Kernel, 'events'>, realmId: RealmId): Promise<string[]> =>
  (await readSigningKeys(kernel, realmId)).map(({ verifier }) => verifier.name);

function rootIn(text: string, size: number, verifier: Verifier): Buffer | null {
  const note = splitNote(text);
  const checkpoint = note && isSignedBy(note, verifier) ? parseCheckpoint(note.text) : null;
  return checkpoint?.size === size && checkpoint.origin === verifier.name ? checkpoint.root : null;
}

/** Each key but the first is endorsed by the key before it, unless that one was lost. */
function brokenEndorsement(keys: readonly KeyPeriod[]): SignedRoots['failure'] {
  for (const [n, { event, since }] of keys.entries()) {
    const before = keys[n - 1];
    const { endorsement, verifier } = event.data;
    if (!before || endorsement === null) continue;
    const note = splitNote(endorsement);
    if (note?.text === endorsementText(verifier) && isSignedBy(note, before.verifier)) continue;
    return { position: since, what: 'the key before it has not signed the key that it names' };
  }
  return null;
}
