import { Kernel } from '@annals/kernel';
import type { ClientBase, PoolClient } from 'pg';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

/** A part of a plan as EXPLAIN writes it. */
interface Plan {
  readonly Schema?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

const relationsOf = (plan: Plan): string[] => [
  ...(plan['Relation Name'] === undefined ? [] : [`${plan.Schema ?? ''}.${plan['Relation Name']}`]),
  ...(plan.Plans ?? []).flatMap(relationsOf),
];

/** Schemas of read models are named after them and their version. */
const IN_READ_MODEL = /^view_[a-z_]+_\d+\.([a-z_]+)$/;
/** Texts of the log do not change, and a process forgets what it keeps when one is erased. */
const LOG = /^public\.events/;
/** The token of a bot is written with the bot and never changes. */
const TOKENS = /^public\.secrets$/;

describe('what POST /register reads', () => {
  let server: TestServer;
  let kernel: Kernel;
  beforeAll(async () => {
    server = await startTestServer();
    kernel = server.apis[0]?.app.get(Kernel) ?? server.kernel;
  });
  afterAll(() => server.close());

  /** The statements of an act on snapshots. */
  async function statementsOf(act: () => Promise<unknown>): Promise<Set<string>> {
    const texts = new Set<string>();
    const recording = (client: PoolClient) => {
      const query = (...sent: Parameters<ClientBase['query']>) => {
        texts.add((sent[0] as unknown as { readonly text: string }).text);
        return client.query(...sent);
      };
      return Object.create(client, { query: { value: query } }) as PoolClient;
    };
    const snapshot = kernel.snapshot.bind(kernel);
    const spy = jest
      .spyOn(kernel, 'snapshot')
      .mockImplementation((realmId, read) =>
        snapshot(realmId, (client, head) => read(recording(client), head) as Promise<never>),
      );
    await act();
    spy.mockRestore();
    return texts;
  }

  it('is named as a read model, so that each event that changes it is known, or is text of the log', async () => {
    const { owner } = server;
    const guest = await server.person({ role: 'guest' });
    const channel = await server.channel(owner, { name: 'lunch', subscribers: [owner, guest] });
    await owner.post('/messages', { type: 'channel', to: channel, topic: 'now', content: '@**all** hello' });
    await guest.post('/messages', { type: 'direct', to: [owner.id], content: 'hello' });
    const at = Math.floor(server.clock.now() / 1000) + 3_600;
    const later = { type: 'direct', to: [owner.id], content: 'later', scheduled_delivery_timestamp: at };
    await owner.post('/scheduled_messages', later);
    const texts = await statementsOf(async () => {
      for (const one of [owner, guest]) await one.register({ include_subscribers: true });
    });
    expect(texts.size).toBeGreaterThan(20);
    for (const text of texts) {
      const { rows } = await kernel.database.pool.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT json) ${text}`,
      );
      const [explained] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]') as { Plan: Plan }[];
      expect(kernel.changes.modelsIn(text)).not.toBeNull();
      for (const relation of explained ? relationsOf(explained.Plan) : []) {
        if (LOG.test(relation) || TOKENS.test(relation)) continue;
        const [, table] = IN_READ_MODEL.exec(relation) ?? [];
        expect([text, relation, text.includes(`view.${table ?? ''}`)]).toEqual([text, relation, table !== undefined]);
      }
    }
  });
});
