import type { ClientBase } from 'pg';

/**
 * After a restore took positions back: cursors of clients may speak of what never happened, so every queue goes and its
 * client registers again; client events of positions that will be given anew go too.
 *
 * @returns what was done, for the operator
 */
export async function dropQueues(client: ClientBase): Promise<string> {
  const { rowCount } = await client.query('DELETE FROM client_queues');
  await client.query(
    'DELETE FROM client_events e USING realm_heads h WHERE e.realm_id = h.realm_id AND e.position > h.position',
  );
  await client.query(
    `UPDATE client_event_horizons c SET position = h.position
     FROM realm_heads h WHERE c.realm_id = h.realm_id AND c.position > h.position`,
  );
  return `${rowCount ?? 0} client queues dropped: their clients register again`;
}
