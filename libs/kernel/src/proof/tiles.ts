import type { Branch, Subtree } from './subtrees';
import { HASH_BYTES, nodeHash, rootOfComplete } from './hashes';

/** Hashes of a full tile (C2SP tlog-tiles, height 8). */
export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;

/** Which tile of a tree: its hashes are those of subtrees with 256^level leaves. */
export interface TileCoordinates {
  readonly level: number;
  readonly index: number;
}

/** A tile, or the part of it that exists: hashes one after the other. */
export interface Tile extends TileCoordinates {
  readonly hashes: Buffer;
}

/** Leaves below one hash of a tile. */
export const leavesOfHash = (level: number): number => TILE_WIDTH ** level;

/** Hashes that a tile has in a tree of a size: 0 if the tree does not reach it. */
export function widthOf({ level, index }: TileCoordinates, size: number): number {
  const hashes = Math.floor(size / leavesOfHash(level)) - index * TILE_WIDTH;
  return Math.min(TILE_WIDTH, Math.max(0, hashes));
}

/** The tiles at the right edge of a tree that are not full. They change when the tree grows. */
export function edgeOf(size: number): TileCoordinates[] {
  const tiles: TileCoordinates[] = [];
  for (let level = 0; leavesOfHash(level) <= size; level++) {
    const index = Math.floor(size / leavesOfHash(level + 1));
    if (widthOf({ level, index }, size) > 0) tiles.push({ level, index });
  }
  return tiles;
}

/** The tile that has the hashes of a subtree, or those that its hash is made of. */
export function tileOf({
  level,
  index,
}: Subtree): TileCoordinates & { readonly first: number; readonly count: number } {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const count = 2 ** (level - tileLevel * TILE_HEIGHT);
  const first = index * count;
  const tile = Math.floor(first / TILE_WIDTH);
  return { level: tileLevel, index: tile, first: first - tile * TILE_WIDTH, count };
}

const keyOf = ({ level, index }: TileCoordinates): string => `${level}/${index}`;

/** A tile of the stored tree does not exist, or is too short. */
export class MissingTile extends Error {
  override readonly name = 'MissingTile';

  constructor(readonly tile: TileCoordinates) {
    super(`the tile ${keyOf(tile)} of the tree is missing or incomplete`);
  }
}

/** Some tiles of a tree, which hashes are computed of. */
export class TileSet {
  private readonly tiles: ReadonlyMap<string, Tile>;

  constructor(tiles: readonly Tile[]) {
    this.tiles = new Map(tiles.map((tile) => [keyOf(tile), tile]));
  }

  /** Hash of a branch. @throws MissingTile */
  hashOf(branch: Branch): Buffer {
    if (!('level' in branch)) return nodeHash(this.hashOf(branch[0]), this.hashOf(branch[1]));
    const { first, count, ...tile } = tileOf(branch);
    return rootOfComplete(this.hashes(tile, first, count));
  }

  /** Hashes of a tile. @throws MissingTile when it has less */
  hashes(tile: TileCoordinates, first: number, count: number): Buffer {
    const hashes = this.tiles.get(keyOf(tile))?.hashes;
    if (!hashes || hashes.length < (first + count) * HASH_BYTES) throw new MissingTile(tile);
    return hashes.subarray(first * HASH_BYTES, (first + count) * HASH_BYTES);
  }
}

/** The tiles that hold branches, each once. */
export function tilesFor(subtrees: readonly Subtree[]): TileCoordinates[] {
  const tiles = subtrees.map((subtree) => tileOf(subtree));
  return [...new Map(tiles.map(({ level, index }) => [`${level}/${index}`, { level, index }])).values()];
}
