import type { ClientBase } from 'pg';
import type { Instant, Position, RealmId, Subject } from '../domain/index';
import { fact, grouped } from '../domain/index';
import type { Kernel } from '../kernel';
import type { EventRegistry } from '../log/encoding/registry';
import { eventsAbout, subjectKey } from '../log/subjects/events-about';
import { readIndexedUpTo } from '../log/subjects/indexed-up-to';
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
  /** It names the event whose sealed part has to be erased. */
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
   * Removes from the log the sealed parts of the events that these orders are about. It locks the head of the realm, so
   * that no erasure is withdrawn meanwhile.
   *
   * @returns which event belongs to which order
   */
  private async erase(realmId: RealmId, orders: readonly Position[]): Promise<Meant[]> {
    const found = await this.about(realmId, orders);
    return this.kernel.database.transaction(`BEGIN; ${LOCK_PASTS_SQL}`, async (client) => {
      await this.kernel.events.lockHead(client, realmId);
      const withdrawn = await readWithdrawn(client, this.kernel.events.registry, realmId);
      const named = await readNamed(client, realmId, orders, found);
      const rows = named.filter(({ order, kind, name }) => !withdrawn.has(`${order} ${kind} ${name}`));
      const { rows: erased } = await client.query<{ position: Position }>({
        name: 'erasures-erase',
        text: `UPDATE events SET sealed = NULL, salt = NULL
          WHERE realm_id = $1 AND position = ANY($2::int8[]) AND sealed IS NOT NULL RETURNING position`,
        values: [realmId, [...new Set(rows.map(({ position }) => position))]],
      });
      await noteErasedWords(
        client,
        realmId,
        erased.map(({ position }) => position),
      );
      return rows;
    });
  }

  /** The orders for an event because of its subjects. */
  private async about(realmId: RealmId, orders: readonly Position[]): Promise<NamedMeant[]> {
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
    const meant: NamedMeant[] = [];
    for await (const { event, about } of eventsAbout(this.kernel, realmId, things)) {
      for (const [kind, id] of about)
        for (const order of ordersOf.get(subjectKey([kind, id])) ?? [])
          meant.push({ order, position: event.position, kind, name: String(id) });
    }
    return meant;
  }
}

/** With what the order names. */
interface NamedMeant extends Meant {
  readonly kind: string;
  readonly name: string;
}

/** What orders mean that are still there. @param found by their subjects */
async function readNamed(
  client: ClientBase,
  realmId: RealmId,
  orders: readonly Position[],
  found: readonly NamedMeant[],
): Promise<NamedMeant[]> {
  const { rows } = await client.query<NamedMeant>({
    name: 'erasures-positions',
    text: `SELECT o.position AS order, o.kind, o.name, e.position FROM view.erasure_orders AS o
        JOIN events AS e ON e.realm_id = o.realm_id AND e.stream = o.name AND e.commitment IS NOT NULL
        WHERE o.realm_id = $1 AND o.position = ANY($2::int8[]) AND o.kind = 'stream'
      UNION SELECT f.order, f.kind, f.name, e.position
        FROM unnest($3::int8[], $4::text[], $5::text[], $6::int8[]) AS f("order", kind, name, position)
        JOIN view.erasure_orders AS o ON o.realm_id = $1 AND o.position = f.order AND o.kind = f.kind AND o.name = f.name
        JOIN events AS e ON e.realm_id = $1 AND e.position = f.position AND e.commitment IS NOT NULL`,
    values: [
      realmId,
      orders,
      found.map(({ order }) => order),
      found.map(({ kind }) => kind),
      found.map(({ name }) => name),
      found.map(({ position }) => position),
    ],
  });
  return rows;
}

/** The erasures that were withdrawn by events that the index of orders has not followed yet. */
async function readWithdrawn(
  client: ClientBase,
  registry: EventRegistry,
  realmId: RealmId,
): Promise<ReadonlySet<string>> {
  const indexed = await readIndexedUpTo(client, realmId);
  const { rows } = await client.query<{ type: string; data: string }>({
    name: 'erasures-withdrawn',
    text: `SELECT type, data::text AS data FROM events
      WHERE realm_id = $1 AND position > $2 AND type = ANY($3::text[])`,
    values: [realmId, indexed, registry.typesThatWithdraw],
  });
  const withdrawn = rows.flatMap(({ type, data }) => registry.definition(type).withdraws(JSON.parse(data)));
  return new Set(withdrawn.map(({ order, erasable: [kind, name] }) => `${order} ${kind} ${name}`));
}
