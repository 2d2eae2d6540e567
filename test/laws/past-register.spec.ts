import type { Kernel } from '@annals/kernel';
import { withPast } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import fc from 'fast-check';
import { randomAct } from '../support/acts';
import { World } from '../support/acts/world';
import type { Registered } from '../support/server/caller';
import type { Then } from '../support/server/past';
import { inPast, thisMoment } from '../support/server/past';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

/** A push service that cannot be reached. */
const NO_PHONES = {
  ANNALS_PUSH_BOUNCER_URL: 'http://127.0.0.1:1',
  ANNALS_PUSH_ORG_ID: 'nobody',
  ANNALS_PUSH_ORG_KEY: 'nothing',
};

const ASKED = [
  { include_subscribers: true, client_capabilities: { notification_settings_null: true, archived_channels: true } },
  { client_gravatar: false, client_capabilities: { include_deactivated_groups: true, user_list_incomplete: true } },
];

describe('a past that is served', () => {
  let server: TestServer;
  let world: World;
  beforeAll(async () => {
    server = await startTestServer({ env: NO_PHONES });
    world = await World.gather(server);
  });
  afterAll(() => server.close());

  /** What each account that is active is answered at an address, by number. */
  async function registered(url: string): Promise<(Registered | number)[]> {
    const everybody = [server.owner, ...world.viewers].flatMap((viewer) => ASKED.map((asked) => ({ viewer, asked })));
    return Promise.all(
      everybody.map(async ({ viewer, asked }) => {
        const { status, body } = await viewer.at(url).post<Registered>('/register', asked);
        return status === 200 ? { ...body, queue_id: 'another one' } : status;
      }),
    );
  }

  it('POST /register of the past answers what the live server answered then, to every kind of viewer', async () => {
    const moments: (Then & { readonly answers: readonly (Registered | number)[] })[] = [];
    const acted = fc.asyncProperty(fc.array(randomAct, { minLength: 6, maxLength: 12 }), async (acts) => {
      for (const act of acts) await act.run(world);
      moments.push({ ...(await thisMoment(server)), answers: await registered(server.url) });
    });
    await fc.assert(acted, { numRuns: 6, endOnFailure: true });
    const active = await registered(server.url);
    for (const { answers, ...then } of moments) {
      await inPast(
        server,
        then,
        async (url) => {
          const now = await registered(url);
          // An account that is deactivated today is refused today.
          for (const [n, answer] of now.entries())
            expect(answer).toEqual(typeof active[n] === 'number' ? 401 : answers[n]);
        },
        // The address for clients is part of the answer.
        { ...NO_PHONES, ANNALS_URL: server.url },
      );
    }
  });

  it('all read models of a past are those that a replay of the log up to its position gives, row by row', async () => {
    const { position, at } = await thisMoment(server);
    const end = new AbortController();
    const rowsOf = async ({ database: { pool }, projections }: Kernel): Promise<Map<string, string[]>> => {
      const rows = new Map<string, string[]>();
      for (const table of projections.flatMap(({ tables }) => Object.keys(tables))) {
        const { rows: found } = await pool.query<{ row: string }>(
          `SELECT to_jsonb(r)::text AS row FROM view.${table} AS r WHERE realm_id = 1 ORDER BY 1`,
        );
        rows.set(
          table,
          found.map(({ row }) => row),
        );
      }
      return rows;
    };
    const live = await rowsOf(server.kernel);
    const options = { realmId: 1 as RealmId, position, at, signal: end.signal, pageSize: 7 };
    await withPast(server.kernel, options, async (past) => {
      end.abort();
      const then = await rowsOf(past);
      for (const [table, rows] of live) expect([table, then.get(table)]).toEqual([table, rows]);
    });
  });
});
