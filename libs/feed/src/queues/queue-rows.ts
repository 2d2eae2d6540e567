import type { Pool } from 'pg';
import type { Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { Cursor } from '../domain/event-id';
import type { QueueOptions } from './client-queue';
import { lastLoggedId } from '../domain/event-id';
import { ClientQueue } from './client-queue';

interface Row {
  readonly realm_id: RealmId;
  readonly id: string;
  readonly user_id: UserId;
  readonly registered: Position;
  readonly registered_at: Instant;
  readonly profile: string;
  readonly cursor: number;
  readonly seen: Position;
}

/** When the last poll of a queue began, and how far the queue has been served since. */
export interface ServedQueue {
  readonly realmId: RealmId;
  readonly id: string;
  readonly at: Instant;
  readonly served: Cursor;
}

interface Round {
  readonly realms: RealmId[];
  readonly ids: string[];
  readonly found: Promise<ReadonlyMap<string, ClientQueue>>;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The rows of queues. Queues that are requested at the same time are found by one query. */
export class QueueRows {
  private next: Round | null = null;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly pool: Pool) {}

  /** @returns null for a queue that does not exist. Ids are sent by clients, so they may have any form */
  async find(realmId: RealmId, id: string): Promise<ClientQueue | null> {
    if (!UUID.test(id)) return null;
    const round = (this.next ??= this.open());
    round.realms.push(realmId);
    round.ids.push(id);
    return (await round.found).get(`${realmId} ${id}`) ?? null;
  }

  async insert(
    realmId: RealmId,
    id: string,
    userId: UserId,
    position: Position,
    options: QueueOptions,
    at: Instant,
  ): Promise<void> {
    await this.pool.query({
      name: 'insert-queue',
      text: `INSERT INTO client_queues (realm_id, id, user_id, registered, registered_at, profile, cursor, seen, last_contact)
        VALUES ($1, $2, $3, $4, $7, $5, $6, $4, $7)`,
      values: [realmId, id, userId, position, JSON.stringify(options), lastLoggedId(position), at],
    });
  }

  /** @returns whether the account had such a queue */
  async delete(realmId: RealmId, id: string, userId: UserId): Promise<boolean> {
    if (!UUID.test(id)) return false;
    const { rowCount } = await this.pool.query({
      name: 'delete-queue',
      text: 'DELETE FROM client_queues WHERE realm_id = $1 AND id = $2 AND user_id = $3',
      values: [realmId, id, userId],
    });
    return rowCount === 1;
  }

  /** Stores the activity of these queues in one statement. @returns the ids of queues that no longer exist */
  async recordActivity(activities: readonly ServedQueue[]): Promise<string[]> {
    if (activities.length === 0) return [];
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'contact-queues',
      text: `UPDATE client_queues q
        SET last_contact = greatest(q.last_contact, c.at), cursor = c.cursor, seen = c.seen
        FROM unnest($1::int4[], $2::uuid[], $3::int8[], $4::int8[], $5::int8[]) AS c (realm_id, id, at, cursor, seen)
        WHERE q.realm_id = c.realm_id AND q.id = c.id RETURNING q.id`,
      values: [
        activities.map(({ realmId }) => realmId),
        activities.map(({ id }) => id),
        activities.map(({ at }) => at),
        activities.map(({ served }) => served.id),
        activities.map(({ served }) => served.seen),
      ],
    });
    const there = new Set(rows.map(({ id }) => id));
    return activities.map(({ id }) => id).filter((id) => !there.has(id));
  }

  private open(): Round {
    const realms: RealmId[] = [];
    const ids: string[] = [];
    const found = this.running.then(() => {
      this.next = null;
      const read = this.read(realms, ids);
      this.running = read.catch(() => undefined);
      return read;
    });
    return { realms, ids, found };
  }

  private async read(realms: readonly RealmId[], ids: readonly string[]): Promise<ReadonlyMap<string, ClientQueue>> {
    const { rows } = await this.pool.query<Row>({
      name: 'find-queues',
      text: `SELECT q.realm_id, q.id, q.user_id, q.registered, q.registered_at, q.profile, q.cursor, q.seen
        FROM unnest($1::int4[], $2::uuid[]) AS w (realm_id, id)
        JOIN client_queues q ON q.realm_id = w.realm_id AND q.id = w.id`,
      values: [realms, ids],
    });
    return new Map(rows.map((row) => [`${row.realm_id} ${row.id}`, queueOf(row)]));
  }
}

const queueOf = (row: Row): ClientQueue =>
  new ClientQueue(
    row.realm_id,
    row.id,
    row.user_id,
    row.registered,
    row.registered_at,
    JSON.parse(row.profile) as QueueOptions,
    { id: row.cursor, seen: row.seen },
  );
