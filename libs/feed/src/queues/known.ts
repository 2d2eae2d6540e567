import type { KnownBeside } from '@annals/kernel';
import type { Position } from '@annals/kernel/domain';
import { positionOf } from '../domain/event-id';

interface Row {
  readonly who: string;
  readonly position: Position | null;
  readonly cursor: number | null;
}

/** The newest position that a client queue or a client event of the realm contains. */
export const newestQueuePosition: KnownBeside = async (client, realmId) => {
  const { rows } = await client.query<Row>(
    `SELECT 'a client queue' AS who, max(greatest(registered, seen)) AS position, max(cursor) AS cursor
       FROM client_queues WHERE realm_id = $1
     UNION ALL SELECT 'the table client_events', max(position), NULL FROM client_events WHERE realm_id = $1`,
    [realmId],
  );
  const known = rows.map(({ who, position, cursor }) => ({
    who,
    position: Math.max(position ?? 0, positionOf(cursor ?? 0)) as Position,
  }));
  return known.reduce((newest, one) => (one.position > newest.position ? one : newest));
};
