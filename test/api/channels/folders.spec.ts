import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.person({ role: 'administrator' });
  member = await server.person();
  guest = await server.person({ role: 'guest' });
});
afterAll(() => server.close());

interface Folder {
  readonly id: number;
  readonly name: string;
  readonly order: number;
}
const refused = (code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', code } });
const create = (by: Person, words: Params) => by.post<{ channel_folder_id: number }>('/channel_folders/create', words);
const made = async (name: string) => granted(await create(administrator, { name, description: '' })).channel_folder_id;
const list = async (by: Person, params: Params = {}) =>
  granted(await by.get<{ channel_folders: Folder[] }>('/channel_folders', params)).channel_folders;
const names = async (by: Person, params: Params = {}) => (await list(by, params)).map(({ name }) => name);
const eventsAfter = async (act: () => Promise<unknown>) =>
  (await guest.receive(act, 'channel_folder')).map(({ id: _, ...event }) => event);

describe('channel folders', () => {
  it('are created by administrators, and shown to all users', async () => {
    expect(await create(member, { name: 'mine', description: '' })).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    const [event] = await eventsAfter(() => create(administrator, { name: ' Work ', description: 'what we\n*do*' }));
    const [folder] = await list(member);
    expect(folder).toEqual({
      id: folder?.id,
      name: 'Work',
      description: 'what we *do*',
      rendered_description: '<p>what we <em>do</em></p>',
      order: folder?.id,
      date_created: Date.UTC(2026, 0, 1) / 1000,
      creator_id: administrator.id,
      is_archived: false,
    });
    expect(event).toEqual({ type: 'channel_folder', op: 'add', channel_folder: folder });
  });

  it.each([
    ['without a description', { name: 'x' }, 'REQUEST_VARIABLE_MISSING'],
    ['without a name', { description: '' }, 'REQUEST_VARIABLE_MISSING'],
    ['with a blank name', { name: ' ', description: '' }, 'BAD_REQUEST'],
    ['with a long name', { name: 'x'.repeat(61), description: '' }, 'BAD_REQUEST'],
    ['with an unprintable name', { name: 'a\u0007', description: '' }, 'BAD_REQUEST'],
    ['with a long description', { name: 'x', description: 'x'.repeat(1025) }, 'BAD_REQUEST'],
    ['under a name in use', { name: 'wORK', description: '' }, 'BAD_REQUEST'],
  ])('are refused %s', async (_, words, code) => {
    expect(await create(owner, words)).toMatchObject(refused(code));
    expect(await names(owner)).toEqual(['Work']);
  });

  it('send one event for each changed property', async () => {
    const id = await made('Play');
    const change = (by: Person, params: Params) => by.patch(`/channel_folders/${id}`, params);
    expect(await change(member, { name: 'no' })).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    expect(await change(owner, {})).toMatchObject(refused());
    expect(await change(owner, { name: 'work' })).toMatchObject(refused());
    for (const unknown of [999, 2 ** 40, 2 ** 53 - 1]) {
      expect(await owner.patch(`/channel_folders/${unknown}`, { name: 'no' })).toMatchObject(refused());
    }
    const common = { type: 'channel_folder', op: 'update', channel_folder_id: id };
    const words = { name: 'Leisure', description: 'for **fun**' };
    expect(await eventsAfter(() => change(owner, { ...words, is_archived: true }))).toEqual([
      { ...common, data: { name: 'Leisure' } },
      { ...common, data: { description: 'for **fun**', rendered_description: '<p>for <strong>fun</strong></p>' } },
      { ...common, data: { is_archived: true } },
    ]);
    expect(await eventsAfter(() => change(owner, words))).toEqual([]);
    expect(await names(member)).toEqual(['Work']);
    expect(await names(member, { include_archived: true })).toEqual(['Work', 'Leisure']);
  });

  it('free their name when archived, and need a free name to be unarchived', async () => {
    const archived = (await list(owner, { include_archived: true })).find(({ name }) => name === 'Leisure')?.id ?? 0;
    const id = await made('leisure');
    const back = { is_archived: false };
    expect(await owner.patch(`/channel_folders/${archived}`, back)).toMatchObject(refused());
    granted(await owner.patch(`/channel_folders/${id}`, { is_archived: true }));
    expect((await owner.patch(`/channel_folders/${archived}`, back)).status).toBe(200);
  });

  it('are reordered all together', async () => {
    const all = (await list(owner, { include_archived: true })).map(({ id }) => id);
    const order = [...all].reverse();
    const reorder = (by: Person, request: readonly number[]) => by.patch('/channel_folders', { order: request });
    expect(await reorder(member, order)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    for (const wrong of [order.slice(1), [...order, 999], [...order.slice(1), order[1] ?? 0], []]) {
      expect(await reorder(owner, wrong)).toMatchObject(refused());
    }
    expect(await eventsAfter(() => reorder(owner, order))).toEqual([{ type: 'channel_folder', op: 'reorder', order }]);
    expect((await list(owner, { include_archived: true })).map(({ id }) => id)).toEqual(order);
  });

  it('are listed to guests who can see a channel inside', async () => {
    expect(await names(guest)).toEqual([]);
    const [folder] = await list(owner);
    await server.channel(owner, { subscribers: [guest], folder_id: folder?.id });
    await server.channel(owner, { subscribers: [], folder_id: (await list(owner))[1]?.id });
    expect(await names(guest)).toEqual([folder?.name]);
    expect(await create(guest, { name: 'g', description: '' })).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
  });

  it('keep channels that are added during a concurrent archiving', async () => {
    for (let n = 0; n < 5; n++) {
      const id = await made(`contested ${n}`);
      const answers = await Promise.all([
        owner.post('/channels/create', { name: `in ${n}`, subscribers: [], folder_id: id }),
        owner.patch(`/channel_folders/${id}`, { is_archived: true }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });
});
