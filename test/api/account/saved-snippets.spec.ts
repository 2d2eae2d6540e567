import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { saveMany } from '../../support/requests/personal';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, member, other, guest } = await startWithUsers()));
afterAll(() => server.close());

const ok = { status: 200, body: { result: 'success', msg: '' } };
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const missing = { status: 404, body: { result: 'error', code: 'BAD_REQUEST' } };
const plain = ({ status, body }: { status: number; body: object }) => ({ status, body });
const seen = async (by: Person) =>
  granted(await by.get<{ saved_snippets: object[] }>('/saved_snippets')).saved_snippets;
const registered = async (by: Person) =>
  (await by.register({ fetch_event_types: ['saved_snippets'] }))['saved_snippets'];
const WORDS = { title: 'Welcome', content: 'Hello, how can I **help**?' };
const save = async (by: Person, words: Params = {}) =>
  granted(await by.post<{ saved_snippet_id: number }>('/saved_snippets', { ...WORDS, ...words })).saved_snippet_id;
const event = (fields: object) => ({ id: expect.any(Number) as number, type: 'saved_snippets', ...fields });
const now = () => Math.floor(server.clock.now() / 1000);

describe('POST /saved_snippets', () => {
  it('saves one, with an event for its owner only', async () => {
    const date_created = now();
    const received: unknown[] = [];
    let id = 0;
    const act = async () => {
      const words = { title: ' Welcome ', content: `\n${WORDS.content}\n` };
      const { status, body } = await member.post<{ saved_snippet_id: number }>('/saved_snippets', words);
      id = body.saved_snippet_id;
      expect({ status, body }).toEqual({
        status: 200,
        body: { ...ok.body, saved_snippet_id: expect.any(Number) as number },
      });
    };
    const others = await other.receive(async () => received.push(...(await member.receive(act))));
    const saved_snippet = { id, ...WORDS, date_created };
    expect(received).toEqual([event({ op: 'add', saved_snippet })]);
    expect(others).toEqual([]);
    expect(await seen(member)).toEqual([saved_snippet]);
    expect(await registered(member)).toEqual([saved_snippet]);
    for (const person of [other, owner]) {
      expect(await seen(person)).toEqual([]);
      expect(await registered(person)).toEqual([]);
    }
  });

  it.each<[Params]>([
    [{ title: '' }],
    [{ title: '  ' }],
    [{ title: 'x'.repeat(61) }],
    [{ content: '' }],
    [{ content: '\n \t' }],
    [{ content: 'x'.repeat(10_001) }],
    [{ content: 'a\0b' }],
  ])('refuses %j', async (words) => {
    const before = await seen(other);
    expect(await other.post('/saved_snippets', { ...WORDS, ...words })).toMatchObject(refused);
    expect(await seen(other)).toEqual(before);
  });

  it.each(['title', 'content'])('requires %s', async (name) => {
    const { status, body } = await other.post('/saved_snippets', { ...WORDS, [name]: undefined });
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'REQUEST_VARIABLE_MISSING', var_name: name } });
  });

  it('counts code points, and accepts equal titles', async () => {
    const words = { title: '😀'.repeat(60), content: '😀'.repeat(10_000) };
    const ids = [await save(guest, words), await save(guest, words)];
    expect(await seen(guest)).toMatchObject(ids.map((id) => ({ id, ...words })));
    for (const id of ids) granted(await guest.delete(`/saved_snippets/${id}`));
  });

  it('is allowed to all accounts, up to 500 snippets each', async () => {
    const bot = await server.bot(member);
    for (const person of [owner, guest, bot]) await save(person);
    expect(await server.anonymous.post('/saved_snippets', WORDS)).toMatchObject({ status: 401 });
    await saveMany(server.kernel, bot, 498);
    const last = await save(bot);
    expect(await bot.post('/saved_snippets', WORDS)).toMatchObject(refused);
    granted(await bot.delete(`/saved_snippets/${last}`));
    await save(bot);
    await save(guest);
    expect(await seen(bot)).toHaveLength(500);
  });
});

describe('PATCH /saved_snippets/{saved_snippet_id}', () => {
  it.each<[Params, object]>([
    [{ title: ' Hi ' }, { title: 'Hi' }],
    [{ content: 'Bye.' }, { content: 'Bye.' }],
    [
      { title: 'One', content: 'Two' },
      { title: 'One', content: 'Two' },
    ],
  ])('%j changes it, and sends the whole snippet', async (params, words) => {
    const date_created = now();
    const id = await save(member);
    server.clock.advance(90_000);
    const received = await member.receive(async () => {
      expect(plain(await member.patch(`/saved_snippets/${id}`, params))).toEqual(ok);
    });
    const saved_snippet = { id, ...WORDS, ...words, date_created };
    expect(received).toEqual([event({ op: 'update', saved_snippet })]);
    expect(await seen(member)).toContainEqual(saved_snippet);
    expect(await registered(member)).toEqual(await seen(member));
  });

  it('is silent when nothing changes', async () => {
    const id = await save(member);
    const act = async () => {
      for (const params of [{}, WORDS]) expect(plain(await member.patch(`/saved_snippets/${id}`, params))).toEqual(ok);
    };
    expect(await member.receive(act)).toEqual([]);
  });

  it.each<[Params]>([
    [{ title: '' }],
    [{ title: 'x'.repeat(61) }],
    [{ content: ' ' }],
    [{ title: 'Good', content: 'x'.repeat(10_001) }],
  ])('refuses %j', async (params) => {
    const id = await save(member);
    expect(await member.patch(`/saved_snippets/${id}`, params)).toMatchObject(refused);
    expect(await seen(member)).toContainEqual(expect.objectContaining({ id, ...WORDS }));
  });

  it('sends each change as it was at its position', async () => {
    const received = await member.receive(async () => {
      const id = await save(member);
      granted(await member.patch(`/saved_snippets/${id}`, { title: 'Second' }));
      granted(await member.patch(`/saved_snippets/${id}`, { title: 'Third' }));
      granted(await member.delete(`/saved_snippets/${id}`));
    });
    const titles = received.map(({ op, saved_snippet }) => [
      op,
      (saved_snippet as { title: string } | undefined)?.title,
    ]);
    expect(titles).toEqual([
      ['add', 'Welcome'],
      ['update', 'Second'],
      ['update', 'Third'],
      ['remove', undefined],
    ]);
  });
});

describe('DELETE /saved_snippets/{saved_snippet_id}', () => {
  it('removes it', async () => {
    const id = await save(other);
    const received = await other.receive(async () => {
      expect(plain(await other.delete(`/saved_snippets/${id}`))).toEqual(ok);
    });
    expect(received).toEqual([event({ op: 'remove', saved_snippet_id: id })]);
    expect(await seen(other)).toEqual([]);
    expect(await other.delete(`/saved_snippets/${id}`)).toMatchObject(missing);
  });

  it('finds the own snippets only, as PATCH does', async () => {
    const id = await save(member);
    for (const [by, which] of [
      [owner, id],
      [member, id + 1_000_000],
      [member, 0],
      [member, 1],
    ] as const) {
      expect(await by.patch(`/saved_snippets/${which}`, { title: 'Mine' })).toMatchObject(missing);
      expect(await by.delete(`/saved_snippets/${which}`)).toMatchObject(missing);
    }
    expect(await member.delete('/saved_snippets/some')).toMatchObject({ status: 404 });
    expect(await seen(member)).toContainEqual(expect.objectContaining({ id, ...WORDS }));
  });
});
