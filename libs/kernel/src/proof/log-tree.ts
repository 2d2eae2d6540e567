import type { ClientBase, Pool } from 'pg';
import type { Position, RealmId } from '../domain/index';
import { GrowingTree } from './growing-tree';
import { EMPTY_ROOT, HASH_BYTES } from './hashes';
import type { Branch } from './subtrees';
import { branchOf, consistencyPath, inclusionPath, subtreesOf } from './subtrees';
import type { Tile, TileCoordinates } from './tiles';
import { TileSet, edgeOf, tilesFor } from './tiles';

type Client = Pool | ClientBase;

/** Leaves that are read from the log at once. */
const LEAVES = 20_000;

/** The log has no event at a position, or one without a hash, so no tree can be made of it. */
export class NoLeaf extends Error {
  override readonly name = 'NoLeaf';

  constructor(readonly position: Position) {
    super(`the log has no event with a hash at position ${position}`);
  }
}

/**
 * The stored RFC 6962 tree over a log: its leaves are the events, in their order (decision 51). A root or a proof of any
 * size reads some tiles with one query, however long the log is.
 */
export class LogTree {
  constructor(private readonly pool: Pool | ClientBase) {}

  /** Leaves of the stored tree. */
  async size(realmId: RealmId, client: Client = this.pool): Promise<number> {
    const { rows } = await client.query<{ size: number }>({
      name: 'tree-size',
      text: 'SELECT size FROM tree_sizes WHERE realm_id = $1',
      values: [realmId],
    });
    return rows[0]?.size ?? 0;
  }

  /** Root of the tree at a size. @throws MissingTile */
  async root(realmId: RealmId, size: number, client: Client = this.pool): Promise<Buffer> {
    if (size === 0) return EMPTY_ROOT;
    const [root] = await this.hashes(realmId, [branchOf(0, size)], client);
    return root as Buffer;
  }

  /** The proof that the leaf with this index (position − 1) is in the tree of a size. @throws MissingTile */
  inclusion(realmId: RealmId, index: number, size: number): Promise<Buffer[]> {
    return this.hashes(realmId, inclusionPath(index, 0, size));
  }

  /** The proof that the tree of a size begins with that of an earlier size, which is not 0. @throws MissingTile */
  consistency(realmId: RealmId, first: number, second: number, client: Client = this.pool): Promise<Buffer[]> {
    return this.hashes(realmId, consistencyPath(first, second), client);
  }

  /** The first hashes of a tile. @throws MissingTile when it has less */
  async tile(realmId: RealmId, tile: TileCoordinates, width: number): Promise<Buffer> {
    return new TileSet(await this.tiles(realmId, [tile])).hashes(tile, 0, width);
  }

  /** Stored tiles, as far as they exist. */
  async tiles(realmId: RealmId, wanted: readonly TileCoordinates[], client: Client = this.pool): Promise<Tile[]> {
    if (wanted.length === 0) return [];
    const { rows } = await client.query<Tile>({
      name: 'tree-tiles',
      text: `SELECT t.level, t.index, t.hashes FROM unnest($2::int2[], $3::int8[]) AS p(level, index)
        JOIN tree_tiles AS t ON t.realm_id = $1 AND t.level = p.level AND t.index = p.index`,
      values: [realmId, wanted.map(({ level }) => level), wanted.map(({ index }) => index)],
    });
    return rows;
  }

  /**
   * Locks the tree of a realm until the client's transaction ends.
   *
   * @returns its size. Null if another process has locked it
   */
  async lock(client: ClientBase, realmId: RealmId): Promise<number | null> {
    await client.query('INSERT INTO tree_sizes (realm_id, size) VALUES ($1, 0) ON CONFLICT DO NOTHING', [realmId]);
    const { rows } = await client.query<{ size: number }>(
      'SELECT size FROM tree_sizes WHERE realm_id = $1 FOR UPDATE SKIP LOCKED',
      [realmId],
    );
    return rows[0]?.size ?? null;
  }

  /**
   * Adds the events of the log up to a position to a locked tree.
   *
   * @throws NoLeaf, MissingTile
   */
  async extend(client: ClientBase, realmId: RealmId, from: number, to: number): Promise<void> {
    const full: Tile[] = [];
    const keep = ({ level, index, hashes }: Tile) => full.push({ level, index, hashes: Buffer.from(hashes) });
    const tree = GrowingTree.of(from, await this.tiles(realmId, edgeOf(from), client), undefined, keep);
    while (tree.size < to) {
      for (const leaf of await leavesAfter(client, realmId, tree.size, Math.min(to, tree.size + LEAVES)))
        tree.append(leaf);
      await this.write(client, realmId, full.splice(0));
    }
    await this.write(client, realmId, tree.edge());
    await client.query('UPDATE tree_sizes SET size = $2 WHERE realm_id = $1', [realmId, to]);
  }

  private async hashes(realmId: RealmId, branches: readonly Branch[], client: Client = this.pool): Promise<Buffer[]> {
    const tiles = new TileSet(await this.tiles(realmId, tilesFor(subtreesOf(branches)), client));
    return branches.map((branch) => tiles.hashOf(branch));
  }

  private async write(client: ClientBase, realmId: RealmId, tiles: readonly Tile[]): Promise<void> {
    if (tiles.length === 0) return;
    await client.query(
      `INSERT INTO tree_tiles (realm_id, level, index, hashes)
        SELECT $1, t.* FROM unnest($2::int2[], $3::int8[], $4::bytea[]) AS t(level, index, hashes)
        ON CONFLICT (realm_id, level, index) DO UPDATE SET hashes = excluded.hashes`,
      [realmId, tiles.map(({ level }) => level), tiles.map(({ index }) => index), tiles.map(({ hashes }) => hashes)],
    );
  }
}

/** Leaf hashes of the events after a position up to another, from the log. @throws NoLeaf */
async function leavesAfter(client: ClientBase, realmId: RealmId, after: number, to: number): Promise<Buffer[]> {
  const { rows } = await client.query<{ position: number; leaf_hash: Buffer }>({
    name: 'tree-leaves',
    text: `SELECT position, leaf_hash FROM events WHERE realm_id = $1 AND position > $2 AND position <= $3
      ORDER BY position`,
    values: [realmId, after, to],
  });
  return Array.from({ length: to - after }, (_, n) => {
    const row = rows[n];
    if (row?.position !== after + n + 1 || row.leaf_hash.length !== HASH_BYTES)
      throw new NoLeaf((after + n + 1) as Position);
    return row.leaf_hash;
  });
}
