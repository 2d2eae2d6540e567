import type { Pool } from 'pg';
import type { Audience, Instant, LogPoint, Position, RealmId } from '@annals/kernel/domain';
import type { StoredClientEvent } from '../../translation/client-event';
import { CLIENT_EVENTS } from '../../translation/client-events-reader';

interface Row {
  readonly position: Position;
  readonly k: number;
  readonly type: string;
  readonly audience: string;
  readonly payload: string;
  readonly at: Instant;
  /** Bytes of the stored audiences and payloads of this row and those before it. */
  readonly size: number;
}

type Some = readonly [LogPoint, ...LogPoint[]];

const lastOf = (events: Some): LogPoint => events.at(-1) ?? events[0];

/** A client event that was read, with the approximate bytes of its audience and payload. */
export interface ReadClientEvent extends StoredClientEvent {
  readonly size: number;
}

/** Stored client events of some positions: all of them up to `through`. No position is split. */
export interface StoredRows {
  readonly events: readonly ReadClientEvent[];
  readonly through: Position;
  /** The checkpoint of the translation when they were read. Nothing is stored beyond it. */
  readonly checkpoint: Position;
  /** Rows up to here are deleted. 0 if none are. */
  readonly horizon: Position;
}

interface Standing {
  readonly checkpoint: Position;
  readonly horizon: Position;
}

/** Most events that are read at once. */
const PAGE = 1_000;
/** Bytes after which no more are read at once: the event that a large topic was moved names all of its messages. */
const PAGE_BYTES = 8_000_000;

/** Reads the client events that a worker has stored. */
export class ClientEventRows {
  constructor(private readonly pool: Pool) {}

  /**
   * Reads the stored client events of these domain events, together with the checkpoint of the translation. After a crash
   * this may be lower than a checkpoint that a process has seen.
   *
   * @param events ascending
   * @param isWhole reads all of them at once, however large they are
   */
  async of(realmId: RealmId, events: Some, isWhole = false): Promise<StoredRows> {
    const most = isWhole ? null : { events: PAGE + 1, bytes: PAGE_BYTES };
    const { rows, ...standing } = await this.read(realmId, events, most);
    const [end, upTo] = [rows.at(-1), lastOf(events).position];
    if (!end || isWhole || (rows.length <= PAGE && end.size <= PAGE_BYTES)) {
      return { events: placed(rows), through: upTo, ...standing };
    }
    const whole = rows.filter((row) => row.position < end.position);
    if (whole.length === 0) return this.of(realmId, [end], true);
    return { events: placed(whole), through: (end.position - 1) as Position, ...standing };
  }

  /** @param most the event that exceeds so many bytes is the last one */
  private async read(
    realmId: RealmId,
    events: Some,
    most: { readonly events: number; readonly bytes: number } | null,
  ): Promise<Standing & { readonly rows: readonly Row[] }> {
    const { rows } = await this.pool.query<(Row | { readonly position: null }) & Standing>({
      name: 'feed-events',
      // Times never decrease in a log, so these limits leave few partitions to read.
      text: `SELECT s.checkpoint, s.horizon, e.* FROM (SELECT
          coalesce((SELECT position FROM projection_checkpoints WHERE realm_id = $1 AND projection = $5), 0)
            AS checkpoint,
          coalesce((SELECT position FROM client_event_horizons WHERE realm_id = $1), 0) AS horizon
        ) AS s LEFT JOIN LATERAL (
          SELECT *, sum(pg_column_size(audience) + pg_column_size(payload)) OVER (ORDER BY position, k) AS size FROM (
            SELECT position, k, type, audience, payload, at FROM client_events
            WHERE realm_id = $1 AND position = ANY($2::int8[]) AND position <= s.checkpoint
              AND at BETWEEN $6 AND $7
            ORDER BY position, k LIMIT $3) AS next
        ) AS e ON $4::int8 IS NULL OR size - pg_column_size(audience) - pg_column_size(payload) <= $4
        ORDER BY position, k`,
      values: [
        realmId,
        events.map(({ position }) => position),
        most?.events ?? null,
        most?.bytes ?? null,
        CLIENT_EVENTS,
        events[0].at,
        lastOf(events).at,
      ],
    });
    const { checkpoint, horizon } = rows[0] ?? { checkpoint: 0 as Position, horizon: 0 as Position };
    return { rows: rows.filter((row): row is Row & Standing => row.position !== null), checkpoint, horizon };
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
