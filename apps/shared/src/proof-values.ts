import { createPrivateKey } from 'node:crypto';

const MAX_WITNESSES = 8;
/** URL, white space, and a verifier key: name, id and base64. */
const WITNESS = /^(https?:\/\/\S{1,500})\s+[^\s+]{1,255}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/;

/** Whether a text is a private key that can sign checkpoints. */
export function isSigningKey(value: unknown): boolean {
  try {
    return typeof value === 'string' && createPrivateKey(value).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

/** Whether a text names witnesses. The keys themselves are checked when a worker starts. */
export function areWitnesses(value: unknown): boolean {
  const entries = typeof value === 'string' ? value.split(',') : [];
  return entries.length <= MAX_WITNESSES && entries.every(isWitness);
}

function isWitness(entry: string): boolean {
  const [, url] = WITNESS.exec(entry.trim()) ?? [];
  return url !== undefined && URL.canParse(url);
}
