import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let ben: Person;
let chief: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person({ name: 'Ann' });
  ben = await server.person({ name: 'Ben' });
  chief = await server.person({ role: 'administrator' });
});
afterAll(() => server.close());

const refused = (msg?: string, code = 'BAD_REQUEST') => ({
  status: 400,
  body: { result: 'error', code, ...(msg && { msg }) },
});

describe('POST /bots/{bot_id}/api_key/regenerate', () => {
  const renew = (by: Person, bot: Person) => by.post<{ api_key: string }>(`/bots/${bot.id}/api_key/regenerate`);

  it('gives it a new key, and the old one ends at once', async () => {
    for (const by of [ann, chief]) {
      const bot = await server.bot(ann);
      expect((await bot.get('/users/me')).status).toBe(200);
      const { api_key: key } = granted(await renew(by, bot));
      expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(await bot.get('/users/me')).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
      expect((await server.as({ email: bot.email, key }).get('/users/me')).status).toBe(200);
      const { rows } = await server.kernel.database.pool.query<{ found: boolean }>(
        'SELECT EXISTS (SELECT FROM events e WHERE e.data::text LIKE $1 OR e.sealed::text LIKE $1) AS found',
        [`%${key}%`],
      );
      expect(rows).toEqual([{ found: false }]);
    }
  });

  it('is not allowed to others, and refuses people', async () => {
    const bot = await server.bot(ann);
    for (const by of [ben, bot]) expect(await renew(by, bot)).toMatchObject(refused('Insufficient permission'));
    expect(await renew(owner, ann)).toMatchObject(refused('No such bot'));
    expect((await bot.get('/users/me')).status).toBe(200);
  });
});

describe('GET /bots/{bot_id}/api_key', () => {
  const keyOf = (by: Person, bot: Person) => by.get<{ api_key: string }>(`/bots/${bot.id}/api_key`);

  it('returns a key that works to the owner and to administrators, and the other keys stay valid', async () => {
    const bot = await server.bot(ann);
    const keys = [];
    for (const by of [ann, chief]) {
      const answer = await keyOf(by, bot);
      const api_key = expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string;
      expect(answer.body).toEqual({ result: 'success', msg: '', api_key });
      keys.push(answer.body.api_key);
    }
    expect(new Set(keys).size).toBe(2);
    for (const caller of [bot, ...keys.map((key) => server.as({ email: bot.email, key }))]) {
      expect((await caller.get('/users/me')).status).toBe(200);
    }
  });

  it('ends no key that somebody uses, however often it is asked', async () => {
    const bot = await server.bot(ann);
    const as = (key: string) => server.as({ email: bot.email, key });
    const shown: string[] = [];
    const show = async () => shown.push(granted(await keyOf(ann, bot)).api_key);
    const works = async (key = '') => (await as(key).get('/users/me')).status === 200;
    await show();
    expect(await works(shown[0])).toBe(true);
    for (let n = 1; n < 60; n += 1) await show();
    expect(await works(shown[0])).toBe(true);
    expect((await bot.get('/users/me')).status).toBe(200);
    // 50 keys: that of the creation, the used one, and the latest that nobody has used.
    for (const key of shown.slice(1, 12)) expect(await works(key)).toBe(false);
    for (const key of shown.slice(12)) expect(await works(key)).toBe(true);
    expect(await keyOf(ann, bot)).toMatchObject(
      refused('This bot uses 50 API keys. Regenerate its API key, which ends all others.'),
    );
    expect(await works(shown.at(-1))).toBe(true);
  });

  it('is not allowed to others, and refuses people and unknown users', async () => {
    const bot = await server.bot(ann);
    for (const by of [ben, bot]) expect(await keyOf(by, bot)).toMatchObject(refused('Insufficient permission'));
    expect(await keyOf(owner, ann)).toMatchObject(refused('No such bot'));
    expect(await owner.get('/bots/999999/api_key')).toMatchObject(refused('No such bot'));
  });

  it('is restricted to owners for a bot with the role of an owner', async () => {
    const bot = await server.bot(ann);
    granted(await owner.patch(`/bots/${bot.id}`, { role: 100 }));
    expect(await keyOf(chief, bot)).toMatchObject(refused(undefined, 'UNAUTHORIZED_PRINCIPAL'));
    expect((await keyOf(owner, bot)).status).toBe(200);
  });
});
