import { HASH_BYTES } from './hashes';

/** The size of a log and the root of its tree, as somebody signs them (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** Identifies the log. It is the name of its key. */
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/** The text that is signed. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** The checkpoint in the text of a note. Null if there is none. Extension lines are ignored. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', size = '', base64 = ''] = text.split('\n');
  const root = Buffer.from(base64, 'base64');
  if (origin === '' || !SIZE.test(size) || !Number.isSafeInteger(Number(size))) return null;
  return root.length === HASH_BYTES && root.toString('base64') === base64 ? { origin, size: Number(size), root } : null;
}
