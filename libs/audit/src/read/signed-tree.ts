import type { TileCoordinates } from '@annals/kernel';
import { Kernel, LogTree, TILE_WIDTH, widthOf } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { reject } from '../domain/proof-rejections';
import { readLatest } from './checkpoints';

/** Bytes that an entry of a bundle may have, because its length has two bytes. */
const MAX_ENTRY_BYTES = 65_535;

export interface InclusionProof {
  readonly leafIndex: number;
  readonly size: number;
  readonly hashes: readonly Buffer[];
  /** The canonical bytes of the event. */
  readonly event: Buffer;
}

export interface ConsistencyProof {
  readonly from: number;
  readonly to: number;
  readonly hashes: readonly Buffer[];
}

/** The tree of a log up to its newest checkpoint. What is beyond it does not exist yet for readers. */
@Injectable()
export class SignedTree {
  private readonly tree: LogTree;

  constructor(private readonly kernel: Kernel) {
    this.tree = new LogTree(kernel.database.pool);
  }

  /** The proof that an event is in the tree of a size. @param size left out: that of the newest checkpoint */
  async inclusion(realmId: RealmId, position: number, size?: number): Promise<InclusionProof> {
    const wanted = await this.sizeFor(realmId, size);
    if (position > wanted) throw reject.notInTree();
    const leafIndex = position - 1;
    const [hashes, [event]] = await Promise.all([
      this.tree.inclusion(realmId, leafIndex, wanted),
      this.kernel.events.canonicalPage(realmId, leafIndex, 1),
    ]);
    return { leafIndex, size: wanted, hashes, event: event ?? Buffer.alloc(0) };
  }

  /** The proof that the tree of one size begins with that of another. */
  async consistency(realmId: RealmId, from: number, to?: number): Promise<ConsistencyProof> {
    const wanted = await this.sizeFor(realmId, to);
    if (from > wanted) throw to === undefined ? reject.notSigned({ size: from }) : reject.sizesSwapped();
    return { from, to: wanted, hashes: await this.tree.consistency(realmId, from, wanted) };
  }

  /**
   * A tile.
   *
   * @param width of a partial one; null for a full one
   * @throws Rejected 404 for a tile that the newest checkpoint does not cover
   */
  async tile(realmId: RealmId, tile: TileCoordinates, width: number | null): Promise<Buffer> {
    return this.tree.tile(realmId, tile, await this.coveredWidth(realmId, tile, width));
  }

  /**
   * The events below a tile of level 0: each has its length in two bytes before it.
   *
   * @throws Rejected 404 also for a bundle with an event that is too long for this format
   */
  async entries(realmId: RealmId, index: number, width: number | null): Promise<Buffer> {
    const count = await this.coveredWidth(realmId, { level: 0, index }, width);
    const events = await this.kernel.events.canonicalPage(realmId, index * TILE_WIDTH, count);
    if (events.length < count || events.some(({ length }) => length > MAX_ENTRY_BYTES)) throw reject.noSuchTile();
    return Buffer.concat(
      events.flatMap((event) => {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(event.length);
        return [length, event];
      }),
    );
  }

  private async coveredWidth(realmId: RealmId, tile: TileCoordinates, width: number | null): Promise<number> {
    const latest = await readLatest(this.kernel.database.pool, realmId);
    const wanted = width ?? TILE_WIDTH;
    if (!latest || widthOf(tile, latest.size) < wanted) throw reject.noSuchTile();
    return wanted;
  }

  private async sizeFor(realmId: RealmId, size: number | undefined): Promise<number> {
    const latest = await readLatest(this.kernel.database.pool, realmId);
    if (!latest) throw reject.nothingSigned();
    if (size !== undefined && size > latest.size) throw reject.notSigned({ size });
    return size ?? latest.size;
  }
}
