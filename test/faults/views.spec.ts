import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { ChannelId, RealmId } from '@annals/kernel/domain';
import { granted } from '../support/server/caller';
import type { Answer } from '../support/server/caller';
import { Cli, runCli } from '../support/processes/cli';
import { PollingClient } from '../support/events/polling-client';
import { copied } from '../support/requests/messages';
import type { Person } from '../support/server/organization';
import type { ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';

/** Events that a build applies in one transaction. The log must have some pages of them. */
const PAGE = 5_000;
const EVENTS = 12_000;
const GATE = 4_711;

const realmId = 1 as RealmId;

let server: ProcessServer;
let channel: ChannelId;

const annals = (...args: readonly string[]) => runCli(server.env, ...args);
const message = (content: string) => ({ type: 'channel', to: channel, topic: 'views', content });
const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.kernel.database.pool.query<Row>(text, values)).rows;

beforeAll(async () => {
  server = await startProcesses({ apis: 2 });
  channel = await server.channel(server.owner);
  const { id } = granted(await server.owner.post<{ id: number }>('/messages', message('the first')));
  await copied(server.kernel, id, EVENTS);
  await server.settled();
});
afterAll(() => server.close());

describe('a rebuild that is killed in the middle', () => {
  const build = async () => {
    const [row] = await sql<{ generation: number; position: number | null }>(
      `SELECT next_generation AS generation,
         (SELECT position FROM projection_checkpoints WHERE projection = name AND generation = next_generation)
       FROM projections WHERE name = 'messages'`,
    );
    return row;
  };

  it('continues when it is started again, and gives the live rows', async () => {
    // Every page is recorded. The second one waits for this spec.
    await sql(`CREATE TABLE spec_pages (n int4 GENERATED ALWAYS AS IDENTITY, position int8);
        CREATE FUNCTION spec_page() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.position > ${PAGE} THEN PERFORM pg_advisory_xact_lock(${GATE}); END IF;
          INSERT INTO spec_pages (position) VALUES (NEW.position);
          RETURN NEW;
        END $$;
        CREATE TRIGGER spec_page AFTER INSERT OR UPDATE ON projection_checkpoints
          FOR EACH ROW WHEN (NEW.projection = 'messages') EXECUTE FUNCTION spec_page()`);
    const gate = new Client({ connectionString: server.env['DATABASE_URL'] });
    await gate.connect();
    await gate.query('SELECT pg_advisory_lock($1)', [GATE]);

    const killed = new Cli(server.env, 'views', 'rebuild', 'messages');
    const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted`;
    while ((await sql(waiting)).length === 0) await pause(20);
    killed.child.kill('SIGKILL');
    expect(await killed.end()).toMatchObject({ signal: 'SIGKILL', out: '' });
    await gate.end();
    while ((await sql(`SELECT FROM pg_locks WHERE locktype = 'advisory'`)).length > 0) await pause(20);
    const left = await build();
    expect(left?.position).toBe(PAGE);

    const { code, out } = await annals('views', 'rebuild', 'messages');
    expect([code, out]).toEqual([0, 'messages: built\n  equal to the live version\n']);
    expect((await build())?.generation).toBe(left?.generation);
    const pages = await sql<{ position: number }>('SELECT position FROM spec_pages ORDER BY n');
    const head = (await server.kernel.events.heads([realmId])).get(realmId);
    expect(pages.map(({ position }) => position)).toEqual([PAGE, 2 * PAGE, head]);
    await sql('DROP TRIGGER spec_page ON projection_checkpoints; DROP FUNCTION spec_page; DROP TABLE spec_pages');
  });
});

describe('a switch of all read models while clients read and write', () => {
  /** A client that sends, and reads what it sent, again and again. Each answer must be a success. */
  async function goOn(who: Person, isOver: () => boolean): Promise<number[]> {
    const ids: number[] = [];
    const ensure = <Fields>(answer: Answer<Fields>) => granted(answer);
    while (!isOver()) {
      const content = `${who.email} ${ids.length}`;
      const { id } = ensure(await who.post<{ id: number }>('/messages', message(content)));
      ids.push(id);
      const one = ensure(await who.get<{ message: { content: string } }>(`/messages/${id}`, { apply_markdown: false }));
      expect(one.message.content).toBe(content);
      const narrow = { anchor: 'newest', num_before: 20, num_after: 0, narrow: [['channel', channel]] };
      const { messages } = ensure(await who.get<{ messages: { id: number }[] }>('/messages', narrow));
      expect(messages.map((each) => each.id)).toContain(id);
      const full_name = `Name ${ids.length} of ${who.id}`;
      ensure(await server.owner.patch(`/users/${who.id}`, { full_name }));
      expect(ensure(await who.get<{ full_name: string }>('/users/me')).full_name).toBe(full_name);
      ensure(await who.post('/register', { fetch_event_types: ['realm', 'subscription', 'realm_user'] }));
    }
    return ids;
  }

  it('fails no request, and loses and repeats nothing', async () => {
    const people = [await server.person(), await server.person(), await server.person()];
    granted(
      await server.owner.post('/users/me/subscriptions', {
        subscriptions: [{ name: await nameOf(channel) }],
        principals: people.map(({ id }) => id),
      }),
    );
    const listener = new PollingClient(
      server.owner,
      await server.owner.register({ event_types: ['message'], fetch_event_types: [] }),
    );
    const names = server.kernel.projections.map(({ name }) => name);
    let isOver = false;
    const clients = people.map((who) => goOn(who, () => isOver));
    try {
      expect(await annals('views', 'rebuild')).toMatchObject({ code: 0 });
      const { code, out } = await annals('views', 'switch', ...names);
      expect([code, out]).toEqual([0, names.map((name) => `${name}: live\n`).join('')]);
    } finally {
      isOver = true;
      await Promise.allSettled(clients);
    }
    const sent = (await Promise.all(clients)).flat().sort((a, b) => a - b);
    expect(sent.length).toBeGreaterThan(people.length);
    const received = await listener.received(sent.length);
    expect(received.map((event) => (event['message'] as { id: number }).id)).toEqual(sent);
    await listener.stop();
    expect((await annals('views', 'drop-old')).out).toBe(
      `Dropped replaced versions of: ${[...names].sort().join(', ')}\n`,
    );
  });

  async function nameOf(id: ChannelId): Promise<string> {
    const [row] = await sql<{ name: string }>('SELECT name FROM view.channels WHERE channel_id = $1', [id]);
    return row?.name ?? '';
  }
});
