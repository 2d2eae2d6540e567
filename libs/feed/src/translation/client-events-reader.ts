import type { ClientBase } from 'pg';
import type { RealmId, Recorded } from '@annals/kernel/domain';
import type { CheckpointedReader, ContextDefinition, EventLog, Feed, FeedReader } from '@annals/kernel';
import { binaryArray, feedReader } from '@annals/kernel';
import type { StoredClientEvent } from './client-event';
import { isEnding, keysOf, QUEUES_ENDED } from '../domain/endings';
import { translate } from './translate';

/** Name of the translation among the readers of the log. */
export const CLIENT_EVENTS = 'client_events';

/**
 * Follows the log and writes what clients see of it: facts once per feed and page, then pure translation, then rows in
 * the transaction of the checkpoint. So any process may do it, twice does no harm, and a kill in between loses nothing.
 */
export function clientEventsReader(
  contexts: readonly ContextDefinition[],
  log: Pick<EventLog, 'stream' | 'at'>,
): CheckpointedReader {
  const feeds = contexts.flatMap((context) => context.feeds);
  const presented = new Set(contexts.flatMap((context) => context.presenters.map(({ type }) => type)));
  return {
    name: CLIENT_EVENTS,
    begins: 'beginning',
    async handle(events, client) {
      const [first] = events;
      if (!first) return;
      const reader = feedReader(log, first.realmId, client);
      const clientEvents = translate(await prepared(feeds, reader, events), events);
      const unknown = clientEvents.find(({ type }) => !isEnding(type) && !presented.has(type));
      if (unknown) throw new Error(`nobody presents client events of type ${unknown.type}`);
      if (clientEvents.length > 0) await write(reader, clientEvents);
    },
  };
}

async function prepared(feeds: readonly Feed[], reader: FeedReader, events: readonly Recorded[]) {
  const listening = [];
  for (const feed of feeds) {
    const heard = events.filter(({ type }) => feed.translations.has(type));
    if (heard.length > 0) listening.push({ feed, facts: await feed.facts(reader, heard) });
  }
  return listening;
}

async function write({ realmId, client }: FeedReader, clientEvents: readonly StoredClientEvent[]): Promise<void> {
  const column = (type: 'int4' | 'int8' | 'text' | 'json', of: (event: StoredClientEvent) => string | number) =>
    binaryArray(type, clientEvents.map(of));
  await client.query({
    name: 'feed-write',
    // The log has the truth: nobody waits for the disk here, and what a crash takes is translated again.
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

/** Queues that were registered after the event begin with a state that knows of it. */
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
