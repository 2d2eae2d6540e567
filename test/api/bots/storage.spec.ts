import { BotStorageSweep } from '@annals/users';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let member: Person;
let bot: Person;
beforeAll(async () => {
  server = await startTestServer();
  member = await server.person();
});
beforeEach(async () => {
  bot = await server.bot(member);
});
afterAll(() => server.close());

const refused = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });
const read = (by: Person, params: Params = {}) => by.get<{ storage: object }>('/bot_storage', params);
const storedBy = async (by: Person, params: Params = {}) => granted(await read(by, params)).storage;
const write = (by: Person, storage: unknown) => by.put('/bot_storage', { storage });
const remove = (by: Person, params: Params = {}) => by.delete('/bot_storage', params);

describe('the storage of a bot', () => {
  it('has what was written, by key', async () => {
    expect(await storedBy(bot)).toEqual({});
    const { body } = await write(bot, { foo: 'bar', '': 'nothing', 'a "key"': 'Zoë 😀\n' });
    expect(body).toEqual({ result: 'success', msg: '' });
    granted(await write(bot, { foo: 'baz', more: '' }));
    expect(await storedBy(bot)).toEqual({ '': 'nothing', 'a "key"': 'Zoë 😀\n', foo: 'baz', more: '' });
    expect(await storedBy(bot, { keys: ['foo', 'more', 'foo'] })).toEqual({ foo: 'baz', more: '' });
    expect(await storedBy(bot, { keys: [] })).toMatchObject({ '': 'nothing' });
    granted(await write(bot, {}));
    expect(Object.keys(await storedBy(bot))).toHaveLength(4);
  });

  it('loses what is deleted, some or all of it', async () => {
    granted(await write(bot, { a: '1', b: '2', c: '3' }));
    expect((await remove(bot, { keys: ['a'] })).body).toEqual({ result: 'success', msg: '' });
    expect(await storedBy(bot)).toEqual({ b: '2', c: '3' });
    granted(await remove(bot));
    expect(await storedBy(bot)).toEqual({});
    granted(await remove(bot));
  });

  it('refuses keys that are not there, and changes nothing then', async () => {
    granted(await write(bot, { a: '1' }));
    for (const act of [read, remove]) {
      expect(await act(bot, { keys: ['a', 'b'] })).toMatchObject(refused('Key does not exist.'));
    }
    expect(await storedBy(bot)).toEqual({ a: '1' });
  });

  it('is of the bot alone', async () => {
    const other = await server.bot(member);
    granted(await write(bot, { a: '1' }));
    expect(await storedBy(other)).toEqual({});
    granted(await remove(other));
    expect(await storedBy(bot)).toEqual({ a: '1' });
  });

  it.each([
    ['no object', [1]],
    ['no text', { a: 1 }],
    ['NUL in a value', { a: 'x\0' }],
    ['NUL in a key', { 'x\0': 'a' }],
    ['no JSON', '{'],
    ['nothing', undefined],
    ['a long key', { ['x'.repeat(501)]: 'a' }],
  ])('refuses %s', async (_, storage) => {
    expect(await write(bot, storage)).toMatchObject({ status: 400 });
    expect(await storedBy(bot)).toEqual({});
  });

  it('is limited, however it is filled', async () => {
    const pool = server.kernel.database.pool;
    granted(await write(bot, { a: '12345', b: '' }));
    await pool.query('UPDATE bot_storage_sizes SET characters = characters + 9999990 WHERE bot_id = $1', [bot.id]);
    const tooMuch = 'Request exceeds storage limit by 1 characters. The limit is 10000000 characters.';
    expect(await write(bot, { c: '1234' })).toMatchObject(
      refused('Request exceeds storage limit by 2 characters. The limit is 10000000 characters.'),
    );
    expect(await write(bot, { a: '12345678', b: '1' })).toMatchObject(refused(tooMuch));
    granted(await write(bot, { a: '1234567', b: '1' }));
    granted(await remove(bot, { keys: ['a'] }));
    granted(await write(bot, { c: '1234567' }));
    granted(await remove(bot));
    granted(await write(bot, { c: '123456789' }));
  });

  it('holds its limit for requests at the same time', async () => {
    const pool = server.kernel.database.pool;
    granted(await write(bot, { a: '' }));
    await pool.query('UPDATE bot_storage_sizes SET characters = 9999990 WHERE bot_id = $1', [bot.id]);
    const answers = await Promise.all(['b', 'c', 'd'].map((key) => write(bot, { [key]: '123456' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(Object.keys(await storedBy(bot))).toHaveLength(2);
  });
});

describe('people and incoming webhooks', () => {
  it('have none', async () => {
    const webhook = await server.bot(member, { type: 2 });
    for (const act of [read, remove]) {
      expect(await act(member)).toMatchObject(refused('This endpoint is for bots only.'));
      expect(await act(webhook)).toMatchObject({ status: 401 });
    }
    expect(await write(member, { a: '1' })).toMatchObject(refused('This endpoint is for bots only.'));
  });
});

describe('the storage of a bot that ended', () => {
  const rows = async () => {
    const tables = ['bot_storage', 'bot_storage_sizes'].map((table) =>
      server.kernel.database.pool.query(`SELECT FROM ${table} WHERE bot_id = $1`, [bot.id]),
    );
    return (await Promise.all(tables)).map(({ rowCount }) => rowCount);
  };

  it('is kept while the bot may return, and deleted with the profile of its owner', async () => {
    const leaver = await server.person();
    bot = await server.bot(leaver);
    granted(await write(bot, { diary: 'what nobody else knows' }));
    granted(await server.owner.delete(`/bots/${bot.id}`));
    const sweep = new BotStorageSweep(server.kernel);
    await sweep.sweep();
    expect(await rows()).toEqual([1, 1]);
    granted(await server.owner.post(`/users/${bot.id}/reactivate`));
    granted(await server.owner.delete(`/users/${leaver.id}`, { actions: { delete_profile: true } }));
    await sweep.sweep();
    expect(await rows()).toEqual([0, 0]);
  });
});
