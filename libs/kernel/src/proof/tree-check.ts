import type { Position, RealmId } from '../domain/index';
import { GrowingTree } from './growing-tree';
import { HASH_BYTES } from './hashes';
import type { LogTree } from './log-tree';
import type { Tile, TileCoordinates } from './tiles';
import { TILE_WIDTH, edgeOf, leavesOfHash } from './tiles';

/** A root that the tree of a log must have at a size, because somebody has signed it. */
export interface ExpectedRoot {
  readonly size: number;
  readonly root: Buffer;
  /** The source of these values: `the checkpoint of 40`. */
  readonly what: string;
}

/** The first position at which a log is not what its tree or a checkpoint says. */
export interface TreeFailure {
  readonly position: Position;
  readonly what: string;
}

/**
 * Builds the tree of a log again from its events, and compares it with the stored tiles and with signed roots. The tiles
 * name the position of a change, also if the hash of the event was changed with it. If the tiles were changed too, the
 * roots show between which sizes the change is.
 */
export class TreeCheck {
  private readonly grown: GrowingTree;
  private failure: TreeFailure | null = null;
  private stored = new Map<string, Buffer>();
  private nextRoot = 0;
  private compared = 0;
  /** Everything up to this size is what was signed. */
  private proved: number;

  private constructor(
    private readonly tree: LogTree,
    private readonly realmId: RealmId,
    private readonly storedSize: number,
    private readonly roots: readonly ExpectedRoot[],
    { size, tiles }: { size: number; tiles: readonly Tile[] },
  ) {
    this.grown = GrowingTree.of(size, tiles, (level, index, hash) => this.compare(level, index, hash));
    this.proved = size;
  }

  /**
   * @param after a size. The check begins with the stored tree of this size and does not compute it again
   * @param roots in any order. Those of earlier sizes are left out
   */
  static async after(
    tree: LogTree,
    realmId: RealmId,
    after: number,
    roots: readonly ExpectedRoot[],
  ): Promise<TreeCheck> {
    const later = roots.filter(({ size }) => size > after).sort((a, b) => a.size - b.size);
    const tiles = await tree.tiles(realmId, edgeOf(after));
    return new TreeCheck(tree, realmId, await tree.size(realmId), later, { size: after, tiles });
  }

  /** Number of roots that the tree was compared with. */
  get rootsCompared(): number {
    return this.compared;
  }

  /** Adds the next leaves. @returns the first position that differs. Null if there is none so far */
  async add(leaves: readonly Buffer[]): Promise<TreeFailure | null> {
    if (leaves.length === 0) return null;
    await this.load(this.grown.size, this.grown.size + leaves.length);
    for (const leaf of leaves) {
      this.grown.append(leaf);
      this.compareRoots();
      if (this.failure) return this.failure;
    }
    return null;
  }

  /** After the last leaf: nothing may be known of the log beyond it. */
  end(): TreeFailure | null {
    const { size } = this.grown;
    const beyond = this.roots.at(-1);
    if (!beyond || beyond.size <= size) return null;
    return { position: (size + 1) as Position, what: `the log ends at ${size}, but ${beyond.what} has ${beyond.size}` };
  }

  private compare(level: number, index: number, hash: Buffer): void {
    const leaves = leavesOfHash(level);
    if (this.failure || (index + 1) * leaves > this.storedSize) return;
    const tile = this.stored.get(`${level}/${Math.floor(index / TILE_WIDTH)}`);
    const at = (index % TILE_WIDTH) * HASH_BYTES;
    const position = (index * leaves + 1) as Position;
    if (tile?.subarray(at, at + HASH_BYTES).equals(hash)) return;
    const about = level === 0 ? 'this position' : `the positions up to ${(index + 1) * leaves}`;
    const what = tile && tile.length >= at + HASH_BYTES ? 'another hash' : 'no hash';
    this.failure = { position, what: `the tree of the log has ${what} for ${about}` };
  }

  /** Several may have signed the same size. */
  private compareRoots(): void {
    const { size } = this.grown;
    if (this.roots[this.nextRoot]?.size !== size) return;
    const root = this.grown.root();
    for (let next = this.roots[this.nextRoot]; next?.size === size; next = this.roots[++this.nextRoot]) {
      this.compared++;
      if (!next.root.equals(root)) this.failure ??= this.otherThan(next);
    }
    this.proved = size;
  }

  private otherThan({ size, what }: ExpectedRoot): TreeFailure {
    const position = (this.proved + 1) as Position;
    const range = position === size ? 'it is not the event' : `the events up to ${size} are not those`;
    return { position, what: `${range} that ${what} was signed for` };
  }

  /** The stored tiles that get hashes of these leaves. */
  private async load(from: number, to: number): Promise<void> {
    const wanted: TileCoordinates[] = [];
    for (let level = 0; leavesOfHash(level) <= to; level++) {
      const width = leavesOfHash(level + 1);
      const last = Math.floor((to - 1) / width);
      for (let index = Math.floor(from / width); index <= last; index++) wanted.push({ level, index });
    }
    const tiles = await this.tree.tiles(this.realmId, wanted);
    this.stored = new Map(tiles.map(({ level, index, hashes }) => [`${level}/${index}`, hashes]));
  }
}
