import { createHash } from 'node:crypto';
import type { Caller } from '../server/caller';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The leaf hash of RFC 6962. */
export const leafOf = (event: Buffer): Buffer => sha256(Buffer.of(0), event);

/** The definition of RFC 6962 section 2.1, for at least one leaf. */
export function treeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0] as Buffer;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
}

/** Content of a tile or bundle. @param path such as `0/x001/234` */
export const tileOf = async (by: Caller, path: string): Promise<Buffer> =>
  Buffer.from(await (await by.raw(`/audit/tile/${path}`)).arrayBuffer());

/** Leaf hashes of the entries in a bundle. @param path such as `000.p/5` */
export async function bundleLeaves(by: Caller, path: string): Promise<Buffer[]> {
  const bundle = await tileOf(by, `entries/${path}`);
  const leaves: Buffer[] = [];
  for (let at = 0; at < bundle.length; at += 2 + bundle.readUInt16BE(at))
    leaves.push(leafOf(bundle.subarray(at + 2, at + 2 + bundle.readUInt16BE(at))));
  return leaves;
}
