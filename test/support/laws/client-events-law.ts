import type { ClientBase } from 'pg';
import type { Kernel } from '@annals/kernel';
import type { Position, RealmId } from '@annals/kernel/domain';
import { CLIENT_EVENTS, clientEventsReader } from '../../../libs/feed/src/translation/client-events-reader';
import { Translations } from '../../../libs/feed/src/translation/translations';
import { readPage } from '../../../libs/kernel/src/projections/running/page-reading';

/** About how many events are translated at once; how many must not matter. */
const PAGE = 5_000;

/** Most differences of a kind that are named. */
const MOST = 5;

/** Tables that hide the stored ones, so that translating once more changes none of them. */
const HIDING = `CREATE TEMP TABLE client_events (LIKE public.client_events) ON COMMIT DROP;
  CREATE TEMP TABLE client_queues (LIKE public.client_queues) ON COMMIT DROP`;

const TRANSLATED = `SELECT c.realm_id AS "realmId", c.position AS head, coalesce(h.position, 0) AS "removedUpTo"
  FROM projection_checkpoints c LEFT JOIN public.client_event_horizons h USING (realm_id) WHERE c.projection = $1`;

const DIFFERENT = `SELECT position, k, type, audience::text, payload::text, at FROM %a WHERE realm_id = $1 AND position > $2
  EXCEPT ALL SELECT position, k, type, audience::text, payload::text, at FROM %b WHERE realm_id = $1 AND position > $2
  ORDER BY position, k LIMIT ${MOST}`;

interface Translated {
  readonly realmId: RealmId;
  readonly head: Position;
  /** Position up to which client events were removed because they were old. */
  readonly removedUpTo: Position;
}

/**
 * Translates every log again, as far as it was translated.
 *
 * @returns client events that only the stored ones or only the new ones contain
 * @throws when one that is not stored cannot be translated
 */
export async function changedClientEvents(kernel: Kernel): Promise<object[]> {
  return kernel.database.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ', async (client) => {
    const { rows } = await client.query<Translated>(TRANSLATED, [CLIENT_EVENTS]);
    await client.query(HIDING);
    const differences: object[] = [];
    for (const realm of rows) {
      await translateAnew(kernel, client, realm);
      differences.push(...(await differencesOf(client, realm)));
    }
    return differences;
  });
}

async function translateAnew(kernel: Kernel, client: ClientBase, { realmId, head }: Translated): Promise<void> {
  const { contexts } = kernel.options;
  const { handle } = clientEventsReader(contexts, kernel.events);
  const translations = new Translations(contexts);
  for (let from = 0; from < head;) {
    const read = (after: number, limit: number) =>
      kernel.events.page(realmId, after, Math.min(limit, head - after), client);
    const { events, unreadable } = await readPage(read, from, PAGE, true);
    if (unreadable) throw unreadable.cause;
    await handle(events, client);
    translations.direct(events);
    from += events.length;
  }
}

async function differencesOf(client: ClientBase, { realmId, removedUpTo }: Translated): Promise<object[]> {
  const only = async (here: string, there: string) =>
    (await client.query<object>(DIFFERENT.replace('%a', here).replace('%b', there), [realmId, removedUpTo])).rows;
  const [missing, added] = [
    await only('pg_temp.client_events', 'public.client_events'),
    await only('public.client_events', 'pg_temp.client_events'),
  ];
  return [...missing.map((row) => ({ missing: row })), ...added.map((row) => ({ added: row }))];
}
