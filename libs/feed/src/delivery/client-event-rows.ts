import type { Pool } from 'pg';
import type { Audience, Instant, Position, RealmId } from '@annals/kernel/domain';
import type { StoredClientEvent } from '../translation/client-event';

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
}

/** Most events that are read at once. */
const PAGE = 1_000;
/** Bytes after which no more are read at once: that a large topic moved names all of its messages. */
const PAGE_BYTES = 8_000_000;

/** Reads translated client events. */
export class ClientEventRows {
  constructor(private readonly pool: Pool) {}

  /**
   * The events after a position, in order, no position cut in two.
   *
   * @param upTo at most the checkpoint of the translation
   */
  async after(realmId: RealmId, position: Position, upTo: Position): Promise<Page> {
    const rows = await this.read(realmId, position, upTo, { events: PAGE + 1, bytes: PAGE_BYTES });
    const end = rows.at(-1);
    if (!end || (rows.length <= PAGE && end.size <= PAGE_BYTES)) return { events: placed(rows), through: upTo };
    const last = end.position;
    const whole = rows.filter((row) => row.position < last);
    if (whole.length > 0) return { events: placed(whole), through: (last - 1) as Position };
    const one = await this.read(realmId, (last - 1) as Position, last, null);
    return { events: placed(one), through: last };
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
  ): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({
      name: 'feed-events',
      text: `SELECT position, k, type, audience, payload, at, size FROM (
          SELECT *, sum(pg_column_size(audience) + pg_column_size(payload)) OVER (ORDER BY position, k) AS size FROM (
            SELECT position, k, type, audience, payload, at FROM client_events
            WHERE realm_id = $1 AND position > $2 AND position <= $3 ORDER BY position, k LIMIT $4) AS next) AS sized
        WHERE $5::int8 IS NULL OR size - pg_column_size(audience) - pg_column_size(payload) <= $5
        ORDER BY position, k`,
      values: [realmId, after, upTo, most?.events ?? null, most?.bytes ?? null],
    });
    return rows;
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
