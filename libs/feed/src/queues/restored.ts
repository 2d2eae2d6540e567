import type { ClientBase } from 'pg';
import { CLIENT_EVENTS } from '../translation/client-events-reader';

/**
 * For a restore that took positions back. Cursors of clients may point at events that never happened, so all queues are
 * deleted and their clients register again. Without queues nobody needs the client events, up to where the log was
 * translated.
 *
 * @returns what was done, for the operator
 */
export async function dropQueues(client: ClientBase): Promise<string> {
  const { rowCount } = await client.query('DELETE FROM client_queues');
  await client.query('DELETE FROM client_events');
  await client.query(
    `INSERT INTO client_event_horizons (realm_id, position)
     SELECT c.realm_id, least(c.position, h.position) FROM projection_checkpoints c JOIN realm_heads h USING (realm_id)
     WHERE c.projection = $1
     ON CONFLICT (realm_id) DO UPDATE SET position = excluded.position`,
    [CLIENT_EVENTS],
  );
  return `${rowCount ?? 0} client queues dropped: their clients register again`;
}
