import { hash } from 'node:crypto';

/** Bytes of a SHA-256 hash. */
export const HASH_BYTES = 32;

/** Root of the tree without a leaf: SHA-256 of nothing (RFC 6962 section 2.1). */
export const EMPTY_ROOT: Buffer = hash('sha256', '', 'buffer');

const NODE = Buffer.of(1);

/** RFC 6962 hash of an inner node: SHA-256(0x01 ‖ left ‖ right). */
export const nodeHash = (left: Buffer, right: Buffer): Buffer =>
  hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');

/**
 * Root of a complete subtree.
 *
 * @param hashes of its leaves, one after the other. Their number is a power of two
 */
export function rootOfComplete(hashes: Buffer): Buffer {
  if (hashes.length === HASH_BYTES) return hashes;
  const parents = Buffer.alloc(hashes.length / 2);
  const both = Buffer.alloc(1 + 2 * HASH_BYTES, 1);
  for (let at = 0; at < hashes.length; at += 2 * HASH_BYTES) {
    hashes.copy(both, 1, at, at + 2 * HASH_BYTES);
    hash('sha256', both, 'buffer').copy(parents, at / 2);
  }
  return rootOfComplete(parents);
}
