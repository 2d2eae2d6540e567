const MASK = (1n << 64n) - 1n;

const IV: readonly bigint[] = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];

const SIGMA: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

const COLUMNS_AND_DIAGONALS: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

const turned = (word: bigint, by: bigint): bigint => ((word >> by) | (word << (64n - by))) & MASK;

/**
 * BLAKE2b (RFC 7693) without a key, of at most one block: enough for the nonce of a sealed box, whose length OpenSSL does
 * not offer.
 *
 * @param length of the digest in bytes
 */
export function blake2b(message: Uint8Array, length: number): Buffer {
  if (message.length > 128) throw new RangeError('one block at most');
  const block = Buffer.alloc(128);
  block.set(message);
  const words = Array.from({ length: 16 }, (_, n) => block.readBigUInt64LE(n * 8));
  const state = IV.map((word, n) => (n === 0 ? word ^ BigInt(0x01010000 ^ length) : word));
  const v = [...state, ...IV];
  const at = (list: readonly bigint[], n: number): bigint => list[n] ?? 0n;
  v[12] = at(v, 12) ^ BigInt(message.length);
  v[14] = at(v, 14) ^ MASK;
  for (let round = 0; round < 12; round++) {
    const order = SIGMA[round % 10] ?? [];
    COLUMNS_AND_DIAGONALS.forEach(([a, b, c, d], n) => {
      const [x, y] = [at(words, order[2 * n] ?? 0), at(words, order[2 * n + 1] ?? 0)];
      v[a] = (at(v, a) + at(v, b) + x) & MASK;
      v[d] = turned(at(v, d) ^ at(v, a), 32n);
      v[c] = (at(v, c) + at(v, d)) & MASK;
      v[b] = turned(at(v, b) ^ at(v, c), 24n);
      v[a] = (at(v, a) + at(v, b) + y) & MASK;
      v[d] = turned(at(v, d) ^ at(v, a), 16n);
      v[c] = (at(v, c) + at(v, d)) & MASK;
      v[b] = turned(at(v, b) ^ at(v, c), 63n);
    });
  }
  const digest = Buffer.alloc(64);
  state.forEach((word, n) => digest.writeBigUInt64LE(word ^ at(v, n) ^ at(v, n + 8), n * 8));
  return digest.subarray(0, length);
}
