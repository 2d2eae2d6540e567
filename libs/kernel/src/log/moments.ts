import type { Instant, Moment, Position, RealmId } from '../domain/index';
import { badMoment } from '../domain/index';
import type { Kernel } from '../kernel';

/** A moment as a position of the log. */
export interface ResolvedMoment {
  readonly position: Position;
  /** Time of the event at this position (ms). Null before the first event. */
  readonly at: Instant | null;
}

/** Finds positions by time and times by position. */
export class Moments {
  constructor(private readonly kernel: Pick<Kernel, 'database' | 'clock'>) {}

  /**
   * The last position that belongs to a moment. 0 is before the first event.
   *
   * @throws Rejected BAD_MOMENT for a position beyond the head, and for a time in the future
   */
  async resolve(realmId: RealmId, moment: Moment): Promise<ResolvedMoment> {
    if ('position' in moment) return this.ofPosition(realmId, moment.position);
    if (moment.time > this.kernel.clock.now()) throw badMoment({ moment: new Date(moment.time).toISOString() });
    return this.ofTime(realmId, moment.time);
  }

  private async ofPosition(realmId: RealmId, position: Position): Promise<ResolvedMoment> {
    if (position === 0) return { position, at: null };
    const { rows } = await this.kernel.database.pool.query<{ at: Instant }>({
      name: 'moment-of-position',
      text: 'SELECT at FROM events WHERE realm_id = $1 AND position = $2',
      values: [realmId, position],
    });
    const [event] = rows;
    if (!event) throw badMoment({ moment: String(position) });
    return { position, at: event.at };
  }

  /** Halves the log until one position is left: times never decrease, and each look reads one row by its key. */
  private async ofTime(realmId: RealmId, time: Instant): Promise<ResolvedMoment> {
    const { rows } = await this.kernel.database.pool.query<{ position: Position; at: Instant | null }>({
      name: 'moment-of-time',
      text: `WITH RECURSIVE halved(low, high) AS (
          SELECT 0::int8, coalesce((SELECT position FROM realm_heads WHERE realm_id = $1), 0)
          UNION ALL
          SELECT CASE WHEN e.at <= $2 THEN e.position ELSE h.low END,
            CASE WHEN e.at <= $2 THEN h.high ELSE e.position - 1 END
          FROM halved AS h JOIN events AS e ON e.realm_id = $1 AND e.position = (h.low + h.high + 1) / 2
          WHERE h.low < h.high
        )
        SELECT h.low AS position, e.at FROM halved AS h
          LEFT JOIN events AS e ON e.realm_id = $1 AND e.position = h.low
          WHERE h.low = h.high`,
      values: [realmId, time],
    });
    return rows[0] ?? { position: 0 as Position, at: null };
  }
}
