import { RFC9162 } from '@transmute/rfc9162';
import { createHash } from 'node:crypto';
import { GrowingTree } from './growing-tree';
import { EMPTY_ROOT, HASH_BYTES, nodeHash } from './hashes';
import { branchOf, consistencyPath, inclusionPath } from './subtrees';
import type { Tile } from './tiles';
import { MissingTile, TILE_WIDTH, TileSet, edgeOf, leavesOfHash, widthOf } from './tiles';

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const leafOf = (entry: Buffer) => sha256(Buffer.of(0), entry);
const leaves = (count: number) => Array.from({ length: count }, (_, n) => leafOf(Buffer.from(`event ${n}`)));

/** The recursive definitions of RFC 6962 section 2.1, word by word. */
const greatestPower = (n: number): number => {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
};
function mth(d: readonly Buffer[]): Buffer {
  if (d.length === 0) return sha256();
  if (d.length === 1) return d[0] as Buffer;
  const k = greatestPower(d.length);
  return sha256(Buffer.of(1), mth(d.slice(0, k)), mth(d.slice(k)));
}
function path(m: number, d: readonly Buffer[]): Buffer[] {
  if (d.length <= 1) return [];
  const k = greatestPower(d.length);
  return m < k ? [...path(m, d.slice(0, k)), mth(d.slice(k))] : [...path(m - k, d.slice(k)), mth(d.slice(0, k))];
}
function subproof(m: number, d: readonly Buffer[], isWhole: boolean): Buffer[] {
  if (m === d.length) return isWhole ? [] : [mth(d)];
  const k = greatestPower(d.length);
  return m <= k
    ? [...subproof(m, d.slice(0, k), isWhole), mth(d.slice(k))]
    : [...subproof(m - k, d.slice(k), false), mth(d.slice(0, k))];
}

/** A tree with the tiles that it wrote. */
function treeOf(all: readonly Buffer[]) {
  const full: Tile[] = [];
  const tree = new GrowingTree(undefined, (tile) => full.push({ ...tile, hashes: Buffer.from(tile.hashes) }));
  for (const leaf of all) tree.append(leaf);
  return { tree, tiles: [...full, ...tree.edge()], set: new TileSet([...full, ...tree.edge()]) };
}

describe('the tree of Certificate Transparency’s test data', () => {
  const entries = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ].map((hex) => leafOf(Buffer.from(hex, 'hex')));
  const { set } = treeOf(entries);
  const hexOf = (buffers: Buffer[]) => buffers.map((buffer) => buffer.toString('hex'));

  it('has the root of nothing', () => {
    expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(new GrowingTree().root()).toEqual(EMPTY_ROOT);
  });

  it.each([
    [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
    [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
    [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
    [4, 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
    [5, '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
    [6, '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
    [7, 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
    [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
  ])('has with %i entries the root %s', (size, root) => {
    expect(set.hashOf(branchOf(0, size)).toString('hex')).toBe(root);
    expect(treeOf(entries.slice(0, size)).tree.root().toString('hex')).toBe(root);
  });

  it('has the paths and proofs of the data', () => {
    const inclusion = (index: number, size: number) =>
      hexOf(inclusionPath(index, 0, size).map((branch) => set.hashOf(branch)));
    expect(inclusion(0, 1)).toEqual([]);
    expect(inclusion(0, 8)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    expect(inclusion(5, 8)).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    const consistency = (first: number, second: number) =>
      hexOf(consistencyPath(first, second).map((branch) => set.hashOf(branch)));
    expect(consistency(6, 8)).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect(consistency(8, 8)).toEqual([]);
  });
});

describe('a tree of tiles', () => {
  const MOST = 300;
  const all = leaves(MOST);
  const { set } = treeOf(all);
  const roots = Array.from({ length: MOST + 1 }, (_, size) => mth(all.slice(0, size)));

  it(`has the roots of the recursive definition at all sizes up to ${MOST}`, () => {
    const tree = new GrowingTree();
    for (let size = 1; size <= MOST; size++) {
      tree.append(all[size - 1] as Buffer);
      expect(tree.root()).toEqual(roots[size]);
      expect(set.hashOf(branchOf(0, size))).toEqual(roots[size]);
    }
  });

  it('has the inclusion proofs of the definition, which lead from each leaf to the root', () => {
    for (let size = 1; size <= MOST; size++) {
      // Of each size some leaves: the first, the last and those between, in steps that share no factor with two.
      for (let index = 0; index < size; index += index === size - 1 ? 1 : Math.min(7, size - 1 - index)) {
        const proof = inclusionPath(index, 0, size).map((branch) => set.hashOf(branch));
        expect(rootFrom(all[index] as Buffer, index, size, proof)).toEqual(roots[size]);
        if (size % 37 === 0) expect(proof).toEqual(path(index, all.slice(0, size)));
      }
    }
  });

  it('has the consistency proofs of the definition between all sizes', () => {
    for (let second = 1; second <= MOST; second += second < 40 ? 1 : 37) {
      for (let first = 1; first <= second; first++) {
        const proof = consistencyPath(first, second).map((branch) => set.hashOf(branch));
        expect(proof).toEqual(subproof(first, all.slice(0, second), true));
      }
    }
  });

  it('has consistency proofs that another implementation accepts', async () => {
    for (let second = 2; second <= MOST; second += 61) {
      for (let first = 1; first < second; first += 5) {
        const proof = consistencyPath(first, second).map((branch) => set.hashOf(branch));
        // Step 2 of RFC 9162 section 2.1.4.2 is left to the caller of this implementation.
        const isPower = Number.isInteger(Math.log2(first));
        const whole = isPower ? [roots[first] as Buffer, ...proof] : proof;
        const claim = { log_id: '', tree_size_1: first, tree_size_2: second, consistency_path: whole };
        const verify = (one: Buffer, two: Buffer) => RFC9162.verifyConsistencyProof(one, two, claim);
        expect(await verify(roots[first] as Buffer, roots[second] as Buffer)).toBe(true);
        expect(await verify(roots[first] as Buffer, roots[first] as Buffer)).toBe(false);
      }
    }
  });

  it('continues from any size with the same result', () => {
    for (let size = 0; size <= MOST; size += 41) {
      const { tiles } = treeOf(all.slice(0, size));
      const full: Tile[] = [];
      const tree = GrowingTree.of(size, tiles, undefined, (tile) => full.push(tile));
      expect(tree.root()).toEqual(roots[size]);
      for (const leaf of all.slice(size)) tree.append(leaf);
      expect([tree.size, tree.root()]).toEqual([MOST, roots[MOST]]);
      expect(tree.edge()).toEqual(treeOf(all).tree.edge());
    }
  });

  it('needs its edge to continue', () => {
    const { tiles } = treeOf(all.slice(0, 259));
    const short = tiles.map((tile) => ({ ...tile, hashes: tile.hashes.subarray(HASH_BYTES) }));
    expect(() => GrowingTree.of(259, short)).toThrow(MissingTile);
    expect(() => GrowingTree.of(259, [])).toThrow('tile 0/1 of the tree is missing');
    expect(() => new TileSet(short).hashOf(branchOf(0, 259))).toThrow(MissingTile);
  });

  it('is right where three levels of tiles begin', () => {
    const width = TILE_WIDTH ** 2;
    const many = Array.from({ length: width + 300 }, (_, n) => {
      const leaf = Buffer.alloc(HASH_BYTES);
      leaf.writeUInt32BE(n);
      return leaf;
    });
    const { tree, tiles, set: wide } = treeOf(many);
    const root = mth(many);
    expect(tree.root()).toEqual(root);
    expect(wide.hashOf(branchOf(0, many.length))).toEqual(root);
    for (const index of [0, 255, 256, width - 1, width, width + 299]) {
      const proof = inclusionPath(index, 0, many.length).map((branch) => wide.hashOf(branch));
      expect(rootFrom(many[index] as Buffer, index, many.length, proof)).toEqual(root);
    }
    for (const first of [1, 256, 257, width - 1, width, width + 1])
      expect(consistencyPath(first, many.length).map((branch) => wide.hashOf(branch))).toEqual(
        subproof(first, many, true),
      );
    const levels = tiles.map(({ level }) => level);
    expect([0, 1, 2].map((one) => levels.filter((level) => level === one).length)).toEqual([258, 2, 1]);
    const again = GrowingTree.of(width + 5, treeOf(many.slice(0, width + 5)).tiles);
    for (const leaf of many.slice(width + 5)) again.append(leaf);
    expect(again.root()).toEqual(root);
  });
});

describe('the tiles of the example in tlog-tiles', () => {
  it('are those of a tree with 70,000 entries', () => {
    const size = 70_000;
    const widths = (level: number) =>
      Array.from({ length: 300 }, (_, index) => widthOf({ level, index }, size)).filter((width) => width > 0);
    expect([widths(0).length, widths(0).at(-1)]).toEqual([274, 112]);
    expect(widths(1)).toEqual([256, 17]);
    expect(widths(2)).toEqual([1]);
    expect(edgeOf(size)).toEqual([
      { level: 0, index: 273 },
      { level: 1, index: 1 },
      { level: 2, index: 0 },
    ]);
    expect(edgeOf(256)).toEqual([{ level: 1, index: 0 }]);
    expect(leavesOfHash(2)).toBe(65_536);
  });
});

/** RFC 9162 section 2.1.3.2: the root that an inclusion proof leads to. */
function rootFrom(leaf: Buffer, index: number, size: number, proof: readonly Buffer[]): Buffer | null {
  let [fn, sn, root] = [index, size - 1, leaf];
  for (const hash of proof) {
    if (sn === 0) return null;
    if (fn % 2 === 1 || fn === sn) {
      root = nodeHash(hash, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else root = nodeHash(root, hash);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 ? root : null;
}
