import type { ClientBase } from 'pg';
import type { RealmId } from '@annals/kernel/domain';
import type { CheckpointedReader, ContextDefinition, EventLog, FeedReader } from '@annals/kernel';
import { binaryArray, feedReader } from '@annals/kernel';
import type { StoredClientEvent } from './client-event';
import { keysOf, QUEUES_ENDED } from '../domain/terminations';
import { Translations } from './translations';

/**
 * Name of the translation among the readers of the log. It stands for the set of event types that are stored. A type
 * that becomes stored, or direct, needs another name (test/laws/stored-events.txt). Earlier versions, which stored all
 * client events, used `client_events`.
 */
export const CLIENT_EVENTS = 'stored_client_events';

/**
 * Follows the log and stores the client events of those events that need facts: facts are read once per feed and page,
 * then follow a pure translation and the rows, in the transaction of the checkpoint. So any process may do it, twice
 * does no harm, and a kill in between loses nothing.
 */
export function clientEventsReader(
  contexts: readonly ContextDefinition[],
  log: Pick<EventLog, 'stream' | 'at'>,
): CheckpointedReader {
  const translations = new Translations(contexts);
  return {
    name: CLIENT_EVENTS,
    begins: 'beginning',
    concerns: (event) => translations.isStored(event),
    async handle(events, client) {
      const [first] = events;
      if (!first) return;
      const reader = feedReader(log, first.realmId, client);
      const clientEvents = await translations.stored(reader, events);
      if (clientEvents.length > 0) await write(reader, clientEvents);
    },
  };
}

async function write({ realmId, client }: FeedReader, clientEvents: readonly StoredClientEvent[]): Promise<void> {
  const column = (type: 'int4' | 'int8' | 'text' | 'json', of: (event: StoredClientEvent) => string | number) =>
    binaryArray(type, clientEvents.map(of));
  await client.query({
    name: 'feed-write',
    // The log has the truth, so the commit does not wait for the disk. What a crash loses is translated again.
    text: `INSERT INTO client_events (realm_id, position, k, type, audience, payload, at)
      SELECT $1, e.* FROM set_config('synchronous_commit', 'off', true),
        unnest($2::int8[], $3::int4[], $4::text[], $5::json[], $6::json[], $7::int8[]) AS e`,
    values: [
      realmId,
      column('int8', ({ position }) => position),
      column('int4', ({ k }) => k),
      column('text', ({ type }) => type),
      column('json', ({ audience }) => JSON.stringify(audience)),
      column('json', ({ payload }) => JSON.stringify(payload)),
      column('int8', ({ at }) => at),
    ],
  });
  for (const event of clientEvents) if (event.type === QUEUES_ENDED) await endQueues(client, realmId, event);
}

/** Queues that were registered after the event begin with a state that includes it. */
async function endQueues(client: ClientBase, realmId: RealmId, event: StoredClientEvent): Promise<void> {
  const { audience, position } = event;
  if (audience.kind !== 'users') return;
  await client.query({
    name: 'feed-end-queues',
    text: `DELETE FROM client_queues WHERE realm_id = $1 AND user_id = ANY($2::int8[]) AND registered < $3
      AND ($4::int8[] IS NULL OR (profile->>'keyId')::int8 = ANY($4))`,
    values: [realmId, audience.users, position, keysOf(event)],
  });
}
