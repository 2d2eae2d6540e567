import type { KeyObject } from 'node:crypto';
import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto';
import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { blake2b } from './blake2b';

/** Before the 32 bytes of an X25519 public key in DER. */
const DER = Buffer.from('302a300506032b656e032100', 'hex');
const KEY_BYTES = 32;
const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(bytes).buffer);
const SIGMA = words(Buffer.from('expand 32-byte k'));

export interface KeyPair {
  readonly publicKey: Buffer;
  readonly privateKey: KeyObject;
}

export function newKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return { publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(DER.length), privateKey };
}

/** The anonymous box of contract/push.md section 3: anybody can seal it for a public key, its owner alone can open it. */
export function sealed(message: string, to: Buffer): Buffer {
  const { publicKey, privateKey } = newKeyPair();
  return Buffer.concat([publicKey, cipher(publicKey, to, privateKey, to).encrypt(Buffer.from(message))]);
}

/** @throws Error when it was sealed for another key, or is no box */
export function opened(box: Buffer, { publicKey, privateKey }: KeyPair): string {
  const sender = box.subarray(0, KEY_BYTES);
  const text = cipher(sender, publicKey, privateKey, sender).decrypt(box.subarray(KEY_BYTES));
  return Buffer.from(text).toString();
}

function cipher(sender: Buffer, receiver: Buffer, own: KeyObject, other: Buffer) {
  const publicKey = createPublicKey({ key: Buffer.concat([DER, other]), format: 'der', type: 'spki' });
  const shared = diffieHellman({ privateKey: own, publicKey });
  const key = new Uint32Array(8);
  hsalsa(SIGMA, words(shared), new Uint32Array(4), key);
  return xsalsa20poly1305(new Uint8Array(key.buffer), blake2b(Buffer.concat([sender, receiver]), 24));
}
