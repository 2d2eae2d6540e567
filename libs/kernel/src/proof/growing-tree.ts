import { EMPTY_ROOT, HASH_BYTES, nodeHash, rootOfComplete } from './hashes';
import type { Tile } from './tiles';
import { MissingTile, TILE_WIDTH, edgeOf, widthOf } from './tiles';

/** The tile of a level that is not full. */
interface Edge {
  index: number;
  width: number;
  readonly hashes: Buffer;
}

const newEdge = (index: number): Edge => ({ index, width: 0, hashes: Buffer.alloc(TILE_WIDTH * HASH_BYTES) });

/** A tree to which leaves are added. It keeps only the tiles at its right edge, so its memory does not grow. */
export class GrowingTree {
  private readonly edges: Edge[] = [];
  private leaves = 0;

  /**
   * @param onHash receives each hash that becomes part of a tile, with the number of it in its level
   * @param onTile receives each tile that becomes full. It may not keep the buffer
   */
  constructor(
    private readonly onHash: (level: number, index: number, hash: Buffer) => void = () => undefined,
    private readonly onTile: (tile: Tile) => void = () => undefined,
  ) {}

  /**
   * The tree of a size, to which more is added.
   *
   * @param tiles the tiles at its right edge that are not full
   * @throws MissingTile
   */
  static of(
    size: number,
    tiles: readonly Tile[],
    ...listeners: ConstructorParameters<typeof GrowingTree>
  ): GrowingTree {
    const tree = new GrowingTree(...listeners);
    tree.leaves = size;
    for (const partial of edgeOf(size)) {
      const width = widthOf(partial, size);
      const tile = tiles.find(({ level, index }) => level === partial.level && index === partial.index);
      if (!tile || tile.hashes.length < width * HASH_BYTES) throw new MissingTile(partial);
      const edge = tree.edgeAt(partial.level);
      edge.width = width;
      edge.index = partial.index;
      tile.hashes.copy(edge.hashes, 0, 0, width * HASH_BYTES);
    }
    // Each level gets the index of its next tile, also a level without a partial tile.
    tree.edges.forEach((edge, level) => (edge.index = Math.floor(size / TILE_WIDTH ** (level + 1))));
    return tree;
  }

  get size(): number {
    return this.leaves;
  }

  /** Adds the next leaf. */
  append(leaf: Buffer): void {
    this.leaves++;
    this.push(0, leaf);
  }

  /** The tiles at the right edge that are not full. */
  edge(): Tile[] {
    return this.edges.flatMap(({ index, width, hashes }, level) =>
      width === 0 ? [] : [{ level, index, hashes: Buffer.from(hashes.subarray(0, width * HASH_BYTES)) }],
    );
  }

  /** Its RFC 6962 root. */
  root(): Buffer {
    let right: Buffer | null = null;
    for (const { width, hashes } of this.edges) {
      for (const subtree of completeParts(hashes, width)) right = right ? nodeHash(subtree, right) : subtree;
    }
    return right ?? EMPTY_ROOT;
  }

  private push(level: number, hash: Buffer): void {
    const edge = this.edgeAt(level);
    this.onHash(level, edge.index * TILE_WIDTH + edge.width, hash);
    hash.copy(edge.hashes, edge.width * HASH_BYTES);
    edge.width++;
    if (edge.width < TILE_WIDTH) return;
    this.onTile({ level, index: edge.index, hashes: edge.hashes });
    this.push(level + 1, rootOfComplete(edge.hashes));
    edge.index++;
    edge.width = 0;
  }

  private edgeAt(level: number): Edge {
    for (let next = this.edges.length; next <= level; next++)
      this.edges.push(newEdge(Math.floor(Math.max(0, this.leaves - 1) / TILE_WIDTH ** (next + 1))));
    return this.edges[level] as Edge;
  }
}

/** The complete subtrees in a part of a tile, from right to left. */
function* completeParts(hashes: Buffer, width: number): Generator<Buffer> {
  let end = width;
  for (let length = 1; end > 0; length *= 2) {
    if ((end & length) === 0) continue;
    yield rootOfComplete(Buffer.from(hashes.subarray((end - length) * HASH_BYTES, end * HASH_BYTES)));
    end -= length;
  }
}
