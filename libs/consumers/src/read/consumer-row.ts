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
}

/** The consumers of an organization, in the order of their creation. */
export async function readConsumers(client: Pool | ClientBase, realmId: RealmId): Promise<ConsumerRow[]> {
  const { rows } = await client.query<ConsumerRow>({
    name: 'consumers-of-realm',
    text: `SELECT realm_id AS "realmId", consumer_id AS id, owner_id AS "ownerId", name, consumer_view AS view, types,
        subjects, words, is_paused AS "isPaused", began, reads_after AS "readsAfter", created_at AS "createdAt"
      FROM view.consumers WHERE realm_id = $1 AND name IS NOT NULL ORDER BY consumer_id`,
    values: [realmId],
  });
  return rows;
}
