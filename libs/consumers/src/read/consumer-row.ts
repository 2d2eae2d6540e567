import type { Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { Selection } from '../domain/consumer';
import type { ConsumerView } from '../domain/events';

/** A consumer that exists. */
export interface ConsumerRow extends Selection {
  readonly realmId: RealmId;
  readonly id: number;
  readonly ownerId: UserId;
  readonly name: string;
  readonly view: ConsumerView;
  readonly isPaused: boolean;
  /** Position of the event with which it began to read, or began again. */
  readonly began: Position;
  /** The position after which it reads since then. */
  readonly readsAfter: Position;
  readonly createdAt: Instant;
  /** Null if the server sends its events to no URL. */
  readonly webhook: ConsumerWebhook | null;
  /** Null if the server stores its events in no other system. */
  readonly sink: ConsumerSink | null;
}

/** That the server stores the events of a consumer in another system, without what is needed only to do so. */
export interface ConsumerSink {
  /** Position of the event since which no earlier failure makes it wait. */
  readonly freshSince: Position;
}

/** How the server sends events of a consumer, without what is needed only to send them. */
export interface ConsumerWebhook {
  readonly batch: boolean;
  /** Position of the event since which no earlier failure makes it wait. */
  readonly freshSince: Position;
}

/** The consumers of an organization, in the order of their creation. */
export async function readConsumers(client: Pool | ClientBase, realmId: RealmId): Promise<ConsumerRow[]> {
  const { rows } = await client.query<ConsumerRow>({
    name: 'consumers-of-realm',
    text: `SELECT c.realm_id AS "realmId", c.consumer_id AS id, c.owner_id AS "ownerId", c.name, c.consumer_view AS view,
        c.types, c.subjects, c.words, c.is_paused AS "isPaused", c.began, c.reads_after AS "readsAfter",
        c.created_at AS "createdAt", CASE WHEN w.consumer_id IS NOT NULL THEN
          jsonb_build_object('batch', w.batch, 'freshSince', w.fresh_since) END AS webhook,
        CASE WHEN s.consumer_id IS NOT NULL THEN jsonb_build_object('freshSince', s.fresh_since) END AS sink
      FROM view.consumers AS c
      LEFT JOIN view.consumer_webhooks AS w ON w.realm_id = c.realm_id AND w.consumer_id = c.consumer_id
      LEFT JOIN view.consumer_sinks AS s ON s.realm_id = c.realm_id AND s.consumer_id = c.consumer_id
      WHERE c.realm_id = $1 AND c.name IS NOT NULL ORDER BY c.consumer_id`,
    values: [realmId],
  });
  return rows;
}
