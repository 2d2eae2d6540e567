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
}

/** Client events in order; everything up to `through` is among them. */
export interface Page {
  readonly events: readonly StoredClientEvent[];
  readonly through: Position;
}

/** Most events that are read at once. */
const PAGE = 1_000;

/** Reads translated client events. */
export class ClientEventRows {
  constructor(private readonly pool: Pool) {}

  /**
   * The events after a position, in order, no position cut in two.
   *
   * @param upTo at most the checkpoint of the translation
   */
  async after(realmId: RealmId, position: Position, upTo: Position): Promise<Page> {
    const rows = await this.read(realmId, position, upTo, PAGE + 1);
    if (rows.length <= PAGE) return { events: rows.map(placed), through: upTo };
    const last = rows[PAGE]?.position ?? upTo;
    const whole = rows.filter((row) => row.position < last);
    if (whole.length > 0) return { events: whole.map(placed), through: (last - 1) as Position };
    const one = await this.read(realmId, (last - 1) as Position, last, null);
    return { events: one.map(placed), through: last };
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

  private async read(realmId: RealmId, after: Position, upTo: Position, limit: number | null): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({
      name: 'feed-events',
      text: `SELECT position, k, type, audience, payload, at FROM client_events
        WHERE realm_id = $1 AND position > $2 AND position <= $3 ORDER BY position, k LIMIT $4`,
      values: [realmId, after, upTo, limit],
    });
    return rows;
  }
}

const placed = ({ position, k, type, audience, payload, at }: Row): StoredClientEvent => ({
  position,
  k,
  type,
  audience: JSON.parse(audience) as Audience,
  payload: JSON.parse(payload) as Readonly<Record<string, unknown>>,
  at,
});
