import { copied, idOf, send } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

interface Page {
  readonly messages: readonly { readonly id: number; readonly content: string }[];
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

let server: TestServer;
let owner: Person;
let first: number;
let ids: readonly number[];
beforeAll(async () => {
  server = await startTestServer();
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
  it('contains those next to its anchor, and reports that there are more', async () => {
    const newest = await page({ anchor: 'newest', num_before: 1_000 });
    const most = newest.found.length;
    expect(newest).toEqual({ found: ids.slice(-most), found_anchor: false, found_oldest: false, found_newest: true });
    const before = await page({ anchor: newest.found[0], include_anchor: false, num_before: 1_000 });
    expect(before).toMatchObject({ found: ids.slice(-2 * most, -most), found_oldest: false });
    const around = await page({ anchor: first + 150, num_before: 1_000, num_after: 1_000 });
    expect(around).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
    const start = 150 - Math.floor(most / 2);
    expect(around.found).toEqual(ids.slice(start, start + most));
    const earliest = await page({ anchor: first + 20, num_before: 1_000 });
    expect(earliest).toMatchObject({ found: ids.slice(0, 21), found_oldest: true });
  });

  it('is limited to eight megabytes of HTML, or two and a half of raw text', async () => {
    for (const [apply_markdown, most] of [
      [true, 8_000_000],
      [false, 2_500_000],
    ]) {
      const { body } = await owner.get<Page>('/messages', { anchor: 'newest', num_before: 1_000, apply_markdown });
      const sizes = body.messages.map(({ content }) => Buffer.byteLength(content));
      const sum = sizes.reduce((all, one) => all + one, 0);
      expect(sum).toBeLessThanOrEqual(Number(most));
      // Of a text, its envelope in the log also counts.
      expect(sum + 2 * (sizes[0] ?? 0)).toBeGreaterThan(0.95 * Number(most));
      expect(body).toMatchObject({ found_oldest: false, found_newest: true });
    }
  });

  it('is refused for a request by ids', async () => {
    const { found } = await page({ anchor: 'newest', num_before: 1_000 });
    const asked = (message_ids: readonly number[]) => owner.get<Page>('/messages', { message_ids });
    expect((await asked(found)).body.messages).toHaveLength(found.length);
    const refused = { status: 400, body: { code: 'BAD_REQUEST' } };
    expect(await asked(ids.slice(-found.length - 1))).toMatchObject(refused);
    expect(await asked(ids)).toMatchObject(refused);
  });

  it('is bounded before it is read', async () => {
    const { found } = await page({ anchor: 'newest', num_before: 1_000 });
    await copied(server.kernel, first, 1_000);
    const more = await page({ anchor: 'newest', num_before: 5_000 });
    expect(more).toMatchObject({ found_oldest: false, found_newest: true });
    expect(more.found).toHaveLength(found.length);
  });
});
