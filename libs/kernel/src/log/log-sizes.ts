import type { Pool } from 'pg';
import type { Instant, Position, RealmId } from '../domain/index';
import type { Kernel } from '../kernel';

/** What an event takes beside its data and its sealed part, about: the other columns, and its entries in indexes. */
const OVERHEAD_BYTES = 300;
/** A figure is measured again after so many events, or after so much time (ms) if there are any. */
const EVENTS = 500;
const AGE_MS = 5_000;

interface Figure {
  readonly bytes: number;
  readonly position: Position;
  readonly at: Instant;
}

/**
 * How many bytes the log of an organization has, as its events were written: what was erased later counts. Nothing is done
 * when an event is written. Only the events since the last measurement are read, and only when somebody asks.
 */
export class LogSizes {
  private readonly figures = new Map<RealmId, Figure>();
  private readonly measuring = new Map<RealmId, Promise<Figure>>();

  constructor(private readonly kernel: Pick<Kernel, 'database' | 'clock' | 'fence'>) {}

  /** The bytes, which may miss the last events. For a caller that asks all the time. */
  async recent(realmId: RealmId): Promise<number> {
    const position = await this.kernel.fence.reached(realmId);
    const known = this.figures.get(realmId);
    if (known && isRecent(known, position, this.kernel.clock.now())) return known.bytes;
    const measuring = this.measuring.get(realmId) ?? this.measure(realmId, position);
    return (await measuring).bytes;
  }

  private measure(realmId: RealmId, position: Position): Promise<Figure> {
    const measured = measureLog(this.kernel.database.pool, realmId)
      .then((bytes) => {
        const figure = { bytes, position, at: this.kernel.clock.now() };
        this.figures.set(realmId, figure);
        return figure;
      })
      .finally(() => this.measuring.delete(realmId));
    this.measuring.set(realmId, measured);
    return measured;
  }
}

const isRecent = (known: Figure, position: Position, now: Instant): boolean =>
  position === known.position || (position - known.position < EVENTS && now - known.at < AGE_MS);

/** The bytes of a log up to its head. */
export async function measureLog(pool: Pool, realmId: RealmId): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>({
    name: 'log-measured',
    text: `WITH head AS (SELECT position FROM realm_heads WHERE realm_id = $1),
      known AS (SELECT s.through, s.bytes FROM log_sizes AS s, head AS h WHERE s.realm_id = $1 AND s.through <= h.position),
      added AS (
        SELECT coalesce(sum(${OVERHEAD_BYTES} + pg_column_size(e.data) + coalesce(pg_column_size(e.sealed), 0)), 0) AS bytes
        FROM head AS h LEFT JOIN events AS e ON e.realm_id = $1 AND e.position <= h.position
          AND e.position > coalesce((SELECT through FROM known), 0)
      ),
      total AS (SELECT coalesce((SELECT bytes FROM known), 0) + a.bytes AS bytes FROM added AS a),
      noted AS (
        INSERT INTO log_sizes AS s (realm_id, through, bytes) SELECT $1, h.position, t.bytes FROM head AS h, total AS t
        ON CONFLICT (realm_id) DO UPDATE SET through = excluded.through, bytes = excluded.bytes
        WHERE s.through <> excluded.through
      )
      SELECT bytes::int8 AS bytes FROM total`,
    values: [realmId],
  });
  return rows[0]?.bytes ?? 0;
}
