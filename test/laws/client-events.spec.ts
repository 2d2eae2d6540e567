import { clientEventsReader } from '../../libs/feed/src/translation/client-events-reader';
import { everythingHappens } from '../golden/scenario';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

const DIFFERENT = `SELECT position, k, type, audience::text, payload::text, at FROM %a EXCEPT ALL
  SELECT position, k, type, audience::text, payload::text, at FROM %b`;

describe('client events', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startServer()));
  afterAll(() => server.close());

  /** Translates the whole log anew into a table that hides the stored one. @returns what only one of them has */
  async function differences(): Promise<object[]> {
    const { database, events, options } = server.kernel;
    return database.transaction('BEGIN', async (client) => {
      await client.query('CREATE TEMP TABLE client_events (LIKE public.client_events) ON COMMIT DROP');
      const { handle } = clientEventsReader(options.contexts);
      for (const realmId of (await events.heads()).keys()) {
        await handle(await events.page(realmId, 0, 1_000_000, client), client);
      }
      const [stored, anew] = ['public.client_events', 'pg_temp.client_events'] as const;
      const lost = await client.query<object>(DIFFERENT.replace('%a', anew).replace('%b', stored));
      const extra = await client.query<object>(DIFFERENT.replace('%a', stored).replace('%b', anew));
      return [...lost.rows.map((row) => ({ lost: row })), ...extra.rows.map((row) => ({ extra: row }))];
    });
  }

  it('are what translating the log from its beginning gives, whatever has happened since', async () => {
    await everythingHappens(server);
    await server.settled();
    expect(await differences()).toEqual([]);
    await server.kernel.database.pool.query(
      'DELETE FROM client_events WHERE (position, k) = (SELECT max(position), 0 FROM client_events)',
    );
    expect(await differences()).toEqual([{ lost: expect.anything() as object }]);
  });
});
