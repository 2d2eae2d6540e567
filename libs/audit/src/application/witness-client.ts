import type { Verifier } from '@annals/kernel';
import { fetchText, isSignedBy, parseVerifier, signatureLines } from '@annals/kernel';

/** A C2SP witness: where it is asked, and the key of its cosignatures. */
export interface Witness {
  /** Without a slash at the end. */
  readonly url: string;
  readonly verifier: Verifier;
}

/** A checkpoint for a witness. */
export interface Submission {
  /** The size that the witness is believed to know; 0 for none. */
  readonly oldSize: number;
  /** From the old size to that of the note. Empty if the old size is 0. */
  readonly proof: readonly Buffer[];
  /** Text of the note, with the line break at its end. */
  readonly text: string;
  readonly note: string;
}

export type WitnessAnswer =
  | { readonly kind: 'cosigned'; readonly lines: string }
  /** It knows another size than the old one. */
  | { readonly kind: 'conflict'; readonly size: number };

/** Why a witness did not cosign. `away` may pass by itself, `refused` needs an operator. */
export class WitnessFailure extends Error {
  override readonly name = 'WitnessFailure';

  constructor(
    readonly kind: 'away' | 'refused',
    message: string,
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 10_000;
/** Answers are a few lines. */
const MAX_ANSWER_BYTES = 64 * 1024;
const ENTRY = /^(https?:\/\/[^\s,]{1,500}?)\/*\s+(\S+)$/;

/** The witness in an entry of the setting: its URL, a space and its verifier key. Null for any other text. */
export function parseWitness(entry: string): Witness | null {
  const [, url, key] = ENTRY.exec(entry.trim()) ?? [];
  if (url === undefined || key === undefined || !URL.canParse(url)) return null;
  const verifier = parseVerifier(key);
  return verifier?.type === COSIGNATURE ? { url, verifier } : null;
}

const COSIGNATURE = 4;

/**
 * Asks a witness to cosign a checkpoint (C2SP tlog-witness, add-checkpoint).
 *
 * @throws WitnessFailure
 */
export async function addCheckpoint(witness: Witness, submission: Submission): Promise<WitnessAnswer> {
  const { oldSize, proof, text, note } = submission;
  const lines = proof.map((hash) => `${hash.toString('base64')}\n`).join('');
  const { status, text: body } = await answerOf(`${witness.url}/add-checkpoint`, `old ${oldSize}\n${lines}\n${note}`);
  if (status === 409) return { kind: 'conflict', size: sizeIn(body) };
  if (status >= 500 || status === 429) throw new WitnessFailure('away', `status ${status}`);
  if (status !== 200) throw new WitnessFailure('refused', `status ${status}`);
  return { kind: 'cosigned', lines: ownLines(witness.verifier, text, body) };
}

function sizeIn(body: string): number {
  const [, size] = /^(0|[1-9]\d{0,15})\n?$/.exec(body) ?? [];
  if (size === undefined) throw new WitnessFailure('refused', 'a conflict without a size');
  return Number(size);
}

/** The signatures of the witness's key. Those of other keys are ignored. */
function ownLines(verifier: Verifier, text: string, body: string): string {
  const own = (signatureLines(body) ?? []).filter((one) => isSignedBy({ text, signatures: [one] }, verifier));
  if (own.length === 0) throw new WitnessFailure('refused', 'no true signature of the key in the settings');
  return own
    .map(({ name, id, signature }) => `— ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`)
    .join('');
}

/** @throws WitnessFailure `away` */
async function answerOf(url: string, request: string): ReturnType<typeof fetchText> {
  try {
    return await fetchText(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        body: request,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      MAX_ANSWER_BYTES,
    );
  } catch {
    throw new WitnessFailure('away', 'no answer');
  }
}
