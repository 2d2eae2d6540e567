import type { Instant, Position, RealmId, Subject } from '../domain/index';
import { fact, grouped } from '../domain/index';
import type { Kernel } from '../kernel';
import { eventsAbout, subjectKey } from '../log/subjects/events-about';
import { LOCK_PASTS_SQL, dropPastsWithErasedWords, noteErasedWords } from '../past/whole/pasts';
import { dropCopiesBefore } from '../projections/rebuild/stale-copies';
import { systemActor } from '../work/by';
import { pages } from '../work/pages';
import { Erased, erasureAggregate } from './events';
import { noteErasure } from './storage-cleanup';

/** Orders that are carried out together, in one append for each of their organizations. */
const PAGE = 100;

/** An event whose type erases, and whose erasure is not done yet. */
interface Order {
  readonly realmId: RealmId;
  readonly position: Position;
}

interface Meant {
  readonly order: Position;
  /** It names the event whose sealed part is to be erased. */
  readonly position: Position;
}

/** The result of a sweep. */
export interface SweptErasures {
  readonly orders: number;
  /** Events that lost their sealed part. */
  readonly events: number;
  /**
   * Orders that are not done yet: a read model is built from events before them, or a past shows the texts. The next sweep
   * tries them again.
   */
  readonly waiting: number;
}

/**
 * Erases the sealed parts that events ordered to erase (docs/event-log.md, "Erasure"). Any number of processes may do
 * so at once, and stop at any point: what is erased stays erased, and an order is completed by one event when no copy
 * of a read model can contain the erased texts.
 */
export class Erasures {
  constructor(private readonly kernel: Pick<Kernel, 'database' | 'events' | 'work'>) {}

  /** Carries out all orders up to a time. */
  async sweep(until: Instant): Promise<SweptErasures> {
    const swept = { orders: 0, events: 0, waiting: 0 };
    for await (const orders of pages<Order>(PAGE, (after) => this.due(until, after))) {
      const byRealm = grouped(
        orders,
        ({ realmId }) => realmId,
        ({ position }) => position,
      );
      for (const [realmId, positions] of byRealm) {
        const { events, isDone } = await this.eraseAll(realmId, positions);
        swept.events += events;
        swept[isDone ? 'orders' : 'waiting'] += positions.length;
      }
    }
    return swept;
  }

  /** In the order of the logs. The index of subjects is up to date with the orders that it lists. */
  private async due(until: Instant, after: Order | null): Promise<Order[]> {
    const { rows } = await this.kernel.database.pool.query<Order>({
      name: 'erasures-due',
      text: `SELECT DISTINCT realm_id AS "realmId", position FROM view.erasure_orders
        WHERE ordered_at <= $1 AND (realm_id, position) > ($2::int4, $3::int8) ORDER BY realm_id, position LIMIT $4`,
      values: [until, after?.realmId ?? 0, after?.position ?? 0, PAGE],
    });
    return rows;
  }

  private async eraseAll(realmId: RealmId, orders: readonly Position[]): Promise<{ events: number; isDone: boolean }> {
    const rows = await this.erase(realmId, orders);
    const events = new Set(rows.map(({ position }) => position)).size;
    // After the log: a build that starts from here on finds no texts in it.
    const last = orders.reduce((a, b) => (a > b ? a : b));
    const building = await dropCopiesBefore(this.kernel.database, realmId, last);
    const shown = await dropPastsWithErasedWords(this.kernel.database, realmId);
    if (building.length + shown.length > 0) return { events, isDone: false };
    await noteErasure(this.kernel.database.pool);
    const counts = new Map<Position, number>(orders.map((order) => [order, 0]));
    for (const { order } of rows) counts.set(order, (counts.get(order) ?? 0) + 1);
    await this.kernel.work.run(systemActor(realmId), async (work) => {
      await work.readAll(erasureAggregate, orders);
      for (const [order, events] of counts)
        await work.decide(erasureAggregate, order, (isDone) => (isDone ? [] : [fact(Erased, { order, events })]));
    });
    return { events, isDone: true };
  }

  /**
   * Removes from the log the sealed parts of the events that these orders are about.
   *
   * @returns which event belongs to which order
   */
  private async erase(realmId: RealmId, orders: readonly Position[]): Promise<Meant[]> {
    const found = await this.about(realmId, orders);
    const { rows } = await this.kernel.database.pool.query<Meant>({
      name: 'erasures-positions',
      text: `SELECT o.position AS order, e.position FROM view.erasure_orders AS o
          JOIN events AS e ON e.realm_id = o.realm_id AND e.stream = o.name AND e.commitment IS NOT NULL
          WHERE o.realm_id = $1 AND o.position = ANY($2::int8[]) AND o.kind = 'stream'
        UNION SELECT f.order, e.position FROM unnest($3::int8[], $4::int8[]) AS f("order", position)
          JOIN events AS e ON e.realm_id = $1 AND e.position = f.position AND e.commitment IS NOT NULL`,
      values: [realmId, orders, found.map(({ order }) => order), found.map(({ position }) => position)],
    });
    const meant = [...new Set(rows.map(({ position }) => position))];
    await this.kernel.database.transaction(`BEGIN; ${LOCK_PASTS_SQL}`, async (client) => {
      const { rows: erased } = await client.query<{ position: Position }>({
        name: 'erasures-erase',
        text: `UPDATE events SET sealed = NULL, salt = NULL
          WHERE realm_id = $1 AND position = ANY($2::int8[]) AND sealed IS NOT NULL RETURNING position`,
        values: [realmId, meant],
      });
      await noteErasedWords(
        client,
        realmId,
        erased.map(({ position }) => position),
      );
    });
    return rows;
  }

  /** The orders for an event because of its subjects. */
  private async about(realmId: RealmId, orders: readonly Position[]): Promise<Meant[]> {
    const { rows } = await this.kernel.database.pool.query<{ order: Position; kind: string; id: number }>({
      name: 'erasures-subjects',
      text: `SELECT position AS order, kind, name::int8 AS id FROM view.erasure_orders
        WHERE realm_id = $1 AND position = ANY($2::int8[]) AND kind <> 'stream'`,
      values: [realmId, orders],
    });
    const things = rows.map(({ kind, id }): Subject => [kind, id]);
    const ordersOf = grouped(
      rows,
      ({ kind, id }) => subjectKey([kind, id]),
      ({ order }) => order,
    );
    const meant: Meant[] = [];
    for await (const { event, about } of eventsAbout(this.kernel, realmId, things)) {
      for (const thing of about)
        for (const order of ordersOf.get(subjectKey(thing)) ?? []) meant.push({ order, position: event.position });
    }
    return meant;
  }
}
