import type { KnownBeside } from '@annals/kernel';
import type { Instant, Position, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

type Client = Pool | ClientBase;

/** A signed note about a log, and when it was signed. */
export interface StoredCheckpoint {
  /** Events that it covers: its last position. */
  readonly size: number;
  readonly at: Instant;
  /** Without the lines of witnesses. */
  readonly note: string;
}

/** Which checkpoints: by size and by time, each after a limit, up to and including another one. Null is no limit. */
export interface CheckpointSpan {
  readonly sizeAfter: number | null;
  readonly sizeUpTo: number | null;
  readonly timeAfter: Instant | null;
  readonly timeUpTo: Instant | null;
}

/** The newest checkpoint of a log. */
export async function readLatest(client: Client, realmId: RealmId): Promise<StoredCheckpoint | null> {
  const { rows } = await client.query<StoredCheckpoint>({
    name: 'audit-latest-checkpoint',
    text: `SELECT size, at, note FROM audit_checkpoints WHERE realm_id = $1 ORDER BY size DESC, at DESC LIMIT 1`,
    values: [realmId],
  });
  return rows[0] ?? null;
}

/** The newest checkpoints in a span, the oldest first. */
export async function readCheckpoints(
  client: Client,
  realmId: RealmId,
  { sizeAfter, sizeUpTo, timeAfter, timeUpTo }: CheckpointSpan,
  limit: number,
): Promise<StoredCheckpoint[]> {
  const { rows } = await client.query<StoredCheckpoint>({
    name: 'audit-checkpoints',
    text: `SELECT size, at, note FROM audit_checkpoints WHERE realm_id = $1
        AND size > coalesce($2::int8, -1) AND size <= coalesce($3::int8, ${Number.MAX_SAFE_INTEGER})
        AND at > coalesce($4::int8, -1) AND at <= coalesce($5::int8, ${Number.MAX_SAFE_INTEGER})
      ORDER BY size DESC, at DESC LIMIT $6`,
    values: [realmId, sizeAfter, sizeUpTo, timeAfter, timeUpTo, limit],
  });
  return rows.reverse();
}

/** The signature lines of witnesses under the checkpoints of these sizes. */
export async function readCosignatures(
  client: Client,
  realmId: RealmId,
  sizes: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await client.query<{ size: number; lines: string }>({
    name: 'audit-cosignatures',
    text: `SELECT size, string_agg(lines, '' ORDER BY witness) AS lines FROM audit_cosignatures
      WHERE realm_id = $1 AND size = ANY($2::int8[]) GROUP BY size`,
    values: [realmId, [...new Set(sizes)]],
  });
  return new Map(rows.map(({ size, lines }) => [size, lines]));
}

/** The newest position that was signed, which the log must reach. */
export const newestSigned: KnownBeside = async (client, realmId) => {
  const latest = await readLatest(client, realmId);
  return latest && { who: 'the newest checkpoint', position: latest.size as Position };
};

/** Signature lines of a witness under a checkpoint. */
export interface Cosignature {
  /** URL at which the witness was asked. */
  readonly witness: string;
  readonly size: number;
  readonly at: Instant;
  readonly lines: string;
}

/** What a witness cosigned last. */
export async function readNewestCosigned(
  client: Client,
  realmId: RealmId,
  witness: string,
): Promise<Pick<Cosignature, 'size' | 'at'> | null> {
  const { rows } = await client.query<Pick<Cosignature, 'size' | 'at'>>({
    name: 'audit-newest-cosigned',
    text: `SELECT size, at FROM audit_cosignatures WHERE realm_id = $1 AND witness = $2 ORDER BY size DESC LIMIT 1`,
    values: [realmId, witness],
  });
  return rows[0] ?? null;
}

/** Stores the lines of a witness. Newer ones for the same size replace older ones. */
export async function saveCosignature(
  client: Client,
  realmId: RealmId,
  { witness, size, at, lines }: Cosignature,
): Promise<void> {
  await client.query(
    `INSERT INTO audit_cosignatures (realm_id, witness, size, at, lines) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (realm_id, witness, size) DO UPDATE SET at = excluded.at, lines = excluded.lines`,
    [realmId, witness, size, at, lines],
  );
}
