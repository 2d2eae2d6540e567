import { randomUUID } from 'node:crypto';
import type { Instant, Position, RealmId } from '../domain/index';
import { fact } from '../domain/index';
import type { Kernel } from '../kernel';
import { Erased, erasureAggregate } from './events';

/** Orders carried out one after the other before the list of them is read again. */
const PAGE = 100;

/** An event whose type erases, and which nobody has carried out yet. */
interface Order {
  readonly realmId: RealmId;
  readonly position: Position;
}

/** What a sweep did. */
export interface Swept {
  readonly orders: number;
  /** Events that lost their sealed part. */
  readonly events: number;
}

/**
 * Forgets for good what events ordered to be forgotten (docs/event-log.md, "Forgetting"). Any number of processes may do
 * so at once, and be ended anywhere: what is erased already stays erased, and an order is ticked off by one event.
 */
export class Erasures {
  constructor(private readonly kernel: Pick<Kernel, 'database' | 'work'>) {}

  /**
   * Carries out all orders that were given until then.
   *
   * @param onProgress called after each with what was done so far
   */
  async sweep(until: Instant, onProgress: (swept: Swept) => void = () => undefined): Promise<Swept> {
    let swept: Swept = { orders: 0, events: 0 };
    let last: Order | null = null;
    for (;;) {
      const orders: Order[] = await this.due(until, last);
      for (const order of orders) {
        const events = await this.carryOut(order);
        swept = { orders: swept.orders + 1, events: swept.events + events };
        onProgress(swept);
      }
      last = orders.at(-1) ?? null;
      if (orders.length < PAGE) return swept;
    }
  }

  /** In the order of the logs; the index of subjects is as far as the orders that it lists. */
  private async due(until: Instant, after: Order | null): Promise<Order[]> {
    const { rows } = await this.kernel.database.pool.query<Order>({
      name: 'erasures-due',
      text: `SELECT DISTINCT realm_id AS "realmId", position FROM view.erasure_orders
        WHERE ordered_at <= $1 AND (realm_id, position) > ($2::int4, $3::int8) ORDER BY realm_id, position LIMIT $4`,
      values: [until, after?.realmId ?? 0, after?.position ?? 0, PAGE],
    });
    return rows;
  }

  private async carryOut({ realmId, position }: Order): Promise<number> {
    const { rows } = await this.kernel.database.pool.query<{ position: Position }>({
      name: 'erasures-positions',
      text: `SELECT e.position FROM view.erasure_orders AS o
          JOIN events AS e ON e.realm_id = o.realm_id AND e.stream = o.name AND e.commitment IS NOT NULL
          WHERE o.realm_id = $1 AND o.position = $2 AND o.kind = 'stream'
        UNION SELECT e.position FROM view.erasure_orders AS o
          JOIN view.event_subjects AS s ON s.realm_id = o.realm_id AND s.kind = o.kind
            AND s.subject_id = CASE WHEN o.kind <> 'stream' THEN o.name::int8 END
          JOIN events AS e ON e.realm_id = s.realm_id AND e.position = s.position AND e.commitment IS NOT NULL
          WHERE o.realm_id = $1 AND o.position = $2 AND o.kind <> 'stream'`,
      values: [realmId, position],
    });
    const positions = rows.map((row) => row.position);
    await this.kernel.database.pool.query({
      name: 'erasures-erase',
      text: `UPDATE events SET sealed = NULL, salt = NULL
        WHERE realm_id = $1 AND position = ANY($2::int8[]) AND sealed IS NOT NULL`,
      values: [realmId, positions],
    });
    const origin = { client: 'annals', correlation: randomUUID(), address: null };
    await this.kernel.work.run({ realmId, userId: null, origin }, (work) =>
      work.decide(erasureAggregate, position, (isDone) =>
        isDone ? [] : [fact(Erased, { order: position, events: positions.length })],
      ),
    );
    return positions.length;
  }
}
