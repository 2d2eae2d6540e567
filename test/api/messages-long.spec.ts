import { copied, idOf, send } from '../support/messages';
import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

interface Page {
  readonly messages: readonly { readonly id: number }[];
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

let server: TestServer;
let owner: Person;
let first: number;
let ids: readonly number[];
beforeAll(async () => {
  server = await startServer();
  owner = server.owner;
  const to = await server.channel(owner);
  first = await idOf(send(owner, { to, content: ':a:'.repeat(3_333) }));
  await copied(server.kernel, first, 299);
  ids = Array.from({ length: 300 }, (_, n) => first + n);
});
afterAll(() => server.close());

const page = async (params: object) => {
  const answer = await owner.get<Page>('/messages', { ...params });
  expect(answer.status).toBe(200);
  const { messages, found_anchor, found_oldest, found_newest } = answer.body;
  return { found: messages.map(({ id }) => id), found_anchor, found_oldest, found_newest };
};

describe('a page of very long messages', () => {
  it('holds those next to its anchor, and says that there are more', async () => {
    const newest = await page({ anchor: 'newest', num_before: 1_000 });
    expect(newest).toEqual({ found: ids.slice(-250), found_anchor: false, found_oldest: false, found_newest: true });
    const before = await page({ anchor: newest.found[0], include_anchor: false, num_before: 1_000 });
    expect(before).toMatchObject({ found_oldest: true });
    expect(before.found.slice(-50)).toEqual(ids.slice(0, 50));
    const around = await page({ anchor: first + 150, num_before: 1_000, num_after: 1_000 });
    expect(around).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
    expect(around.found).toEqual(ids.slice(25, 275));
  });

  it('is refused where just those were asked for', async () => {
    const asked = (message_ids: readonly number[]) => owner.get<Page>('/messages', { message_ids });
    expect((await asked(ids.slice(0, 250))).body.messages).toHaveLength(250);
    expect(await asked(ids.slice(0, 251))).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});
