import type { Pool } from 'pg';
import type { Audience, Instant, Position, RealmId } from '@annals/kernel/domain';
import type { StoredClientEvent } from '../translation/client-event';
import { CLIENT_EVENTS } from '../translation/client-events-reader';

interface Row {
  readonly position: Position;
  readonly k: number;
  readonly type: string;
  readonly audience: string;
  readonly payload: string;
  readonly at: Instant;
  /** Of its audience and payload together with those before it, in bytes as they are stored. */
  readonly size: number;
}

/** A client event that was read, with the bytes that its audience and payload take where it is stored. */
export interface ReadClientEvent extends StoredClientEvent {
  readonly size: number;
}

/** Client events in order; everything up to `through` is among them. */
export interface Page {
  readonly events: readonly ReadClientEvent[];
  readonly through: Position;
  /** Where the translation stood when they were read. */
  readonly checkpoint: Position;
}

interface Rows {
  readonly rows: readonly Row[];
  readonly checkpoint: Position;
}

/** Most events that are read at once. */
const PAGE = 1_000;
/** Bytes after which no more are read at once: that a large topic moved names all of its messages. */
const PAGE_BYTES = 8_000_000;

/** Reads translated client events. */
export class ClientEventRows {
  constructor(private readonly pool: Pool) {}

  /**
   * The events after a position, in order, no position cut in two. They are read together with the checkpoint of the
   * translation and reach no further: whoever was told of a later one was told before a crash took it back.
   */
  async after(realmId: RealmId, position: Position, upTo: Position): Promise<Page> {
    const { rows, checkpoint } = await this.read(realmId, position, upTo, { events: PAGE + 1, bytes: PAGE_BYTES });
    const through = Math.max(position, Math.min(upTo, checkpoint)) as Position;
    const end = rows.at(-1);
    if (!end || (rows.length <= PAGE && end.size <= PAGE_BYTES)) return { events: placed(rows), through, checkpoint };
    const last = end.position;
    const whole = rows.filter((row) => row.position < last);
    if (whole.length > 0) return { events: placed(whole), through: (last - 1) as Position, checkpoint };
    const one = await this.read(realmId, (last - 1) as Position, last, null);
    const reached = one.rows.length > 0 ? last : position;
    return { events: placed(one.rows), through: reached, checkpoint: one.checkpoint };
  }

  /** Client events up to this position are gone; 0 where none are. */
  async horizon(realmId: RealmId): Promise<Position> {
    const { rows } = await this.pool.query<{ position: Position }>({
      name: 'feed-horizon',
      text: 'SELECT position FROM client_event_horizons WHERE realm_id = $1',
      values: [realmId],
    });
    return rows[0]?.position ?? (0 as Position);
  }

  /** @param most the event with which there are more bytes than this is the last one */
  private async read(
    realmId: RealmId,
    after: Position,
    upTo: Position,
    most: { readonly events: number; readonly bytes: number } | null,
  ): Promise<Rows> {
    const { rows } = await this.pool.query<(Row | { readonly position: null }) & { readonly checkpoint: Position }>({
      name: 'feed-events',
      text: `SELECT c.checkpoint, e.* FROM (
          SELECT coalesce((SELECT position FROM projection_checkpoints WHERE realm_id = $1 AND projection = $6), 0)
            AS checkpoint
        ) AS c LEFT JOIN LATERAL (
          SELECT *, sum(pg_column_size(audience) + pg_column_size(payload)) OVER (ORDER BY position, k) AS size FROM (
            SELECT position, k, type, audience, payload, at FROM client_events
            WHERE realm_id = $1 AND position > $2 AND position <= least($3, c.checkpoint)
            ORDER BY position, k LIMIT $4) AS next
        ) AS e ON $5::int8 IS NULL OR size - pg_column_size(audience) - pg_column_size(payload) <= $5
        ORDER BY position, k`,
      values: [realmId, after, upTo, most?.events ?? null, most?.bytes ?? null, CLIENT_EVENTS],
    });
    return {
      rows: rows.filter((row): row is Row & { readonly checkpoint: Position } => row.position !== null),
      checkpoint: rows[0]?.checkpoint ?? (0 as Position),
    };
  }
}

const placed = (rows: readonly Row[]): ReadClientEvent[] =>
  rows.map(({ position, k, type, audience, payload, at, size }, n) => ({
    position,
    k,
    type,
    audience: JSON.parse(audience) as Audience,
    payload: JSON.parse(payload) as Readonly<Record<string, unknown>>,
    at,
    size: size - (rows[n - 1]?.size ?? 0),
  }));
