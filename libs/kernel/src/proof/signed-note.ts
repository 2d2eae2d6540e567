import type { KeyObject } from 'node:crypto';
import { createPublicKey, hash, sign, verify } from 'node:crypto';

/** Types of signatures that this server knows (C2SP signed-note, "Signature types"). */
export const SIGNATURE_TYPES = { ed25519: 1, cosignature: 4 } as const;

/** A public key that verifies signatures of notes, with the name of its owner. */
export interface Verifier {
  readonly name: string;
  readonly type: number;
  /** The first four bytes of every signature of this key. */
  readonly id: Buffer;
  readonly publicKey: KeyObject;
}

/** A signature line of a note. */
export interface NoteSignature {
  readonly name: string;
  readonly id: Buffer;
  readonly signature: Buffer;
}

/** A note whose signatures are not verified yet. */
export interface SplitNote {
  /** With the line break at its end. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Signatures that a note may have. */
const MAX_SIGNATURES = 64;
const NAME = /^[^\s+\p{Cc}]{1,255}$/u;
const LINE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/u;
/** What a public key in DER begins with, before its 32 bytes. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

const idOf = (name: string, type: number, key: Buffer): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), key]), 'buffer').subarray(0, 4);

/** Whether a name can be that of a key: not empty, without spaces and plus signs. */
export const isKeyName = (name: string): boolean => NAME.test(name);

/** A key of a C2SP signed note as text: `<name>+<id>+<base64 of type and key>`. */
export function verifierText(name: string, privateKey: KeyObject): string {
  const key = rawPublicKey(privateKey);
  const type = SIGNATURE_TYPES.ed25519;
  return `${name}+${idOf(name, type, key).toString('hex')}+${Buffer.concat([Buffer.of(type), key]).toString('base64')}`;
}

function rawPublicKey(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
}

/** The key that a text names. Null if it is no Ed25519 key in this form, or its id is not that of the key. */
export function parseVerifier(text: string): Verifier | null {
  const [, name, id, base64] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (name === undefined || id === undefined || base64 === undefined || !isKeyName(name)) return null;
  const bytes = Buffer.from(base64, 'base64');
  const [type = 0] = bytes;
  const key = bytes.subarray(1);
  const isKnown = (Object.values(SIGNATURE_TYPES) as number[]).includes(type);
  if (!isKnown || key.length !== 32 || idOf(name, type, key).toString('hex') !== id) return null;
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' });
  return { name, type, id: Buffer.from(id, 'hex'), publicKey };
}

/** Signs a text with an Ed25519 key. @returns the whole note with this one signature */
export function signNote(text: string, name: string, privateKey: KeyObject): string {
  const id = idOf(name, SIGNATURE_TYPES.ed25519, rawPublicKey(privateKey));
  const signature = sign(null, Buffer.from(text), privateKey);
  return `${text}\n— ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;
}

/** Text and signatures of a note. Null for a text that is no note. */
export function splitNote(note: string): SplitNote | null {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return null;
  const signatures = signatureLines(note.slice(end + 2));
  return signatures && signatures.length > 0 ? { text: note.slice(0, end + 1), signatures } : null;
}

/** Signature lines, each with a line break. Null if there is anything else. */
export function signatureLines(text: string): NoteSignature[] | null {
  if (!text.endsWith('\n')) return null;
  const lines = text.slice(0, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) return null;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name, base64] = LINE.exec(line) ?? [];
    const bytes = Buffer.from(base64 ?? '', 'base64');
    if (name === undefined || !isKeyName(name) || bytes.length < 5) return null;
    signatures.push({ name, id: bytes.subarray(0, 4), signature: bytes.subarray(4) });
  }
  return signatures;
}

/** Whether a signature is one of this key, whether or not it is true. */
const isOf = ({ name, id }: NoteSignature, verifier: Verifier): boolean =>
  name === verifier.name && id.equals(verifier.id);

/** Whether a note has a signature of a key, and each signature that names this key is true. */
export function isSignedBy({ text, signatures }: SplitNote, verifier: Verifier): boolean {
  const own = signatures.filter((one) => isOf(one, verifier));
  return own.length > 0 && own.every(({ signature }) => isTrue(text, signature, verifier));
}

function isTrue(text: string, signature: Buffer, { type, publicKey }: Verifier): boolean {
  if (type === SIGNATURE_TYPES.ed25519)
    return signature.length === 64 && verify(null, Buffer.from(text), publicKey, signature);
  if (signature.length !== 72) return false;
  const message = `cosignature/v1\ntime ${signature.readBigUInt64BE()}\n${text}`;
  return verify(null, Buffer.from(message), publicKey, signature.subarray(8));
}
