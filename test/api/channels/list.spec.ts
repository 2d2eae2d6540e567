import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
let bot: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.person({ role: 'administrator' });
  member = await server.person();
  guest = await server.person({ role: 'guest' });
  bot = await server.bot(member);
  const group = (who: Person) => ({ direct_members: [who.id], direct_subgroups: [] });
  await server.channel(member, { name: 'Zoo', subscribers: [member, guest] });
  await server.channel(owner, { name: 'alley', subscribers: [owner] });
  await server.channel(owner, { name: 'Öffentlich', subscribers: [owner], is_default_stream: true });
  await server.channel(owner, { name: 'secret', invite_only: true, subscribers: [owner] });
  await server.channel(owner, { name: 'ours', invite_only: true, subscribers: [owner, member] });
  await server.channel(owner, { name: 'joinable', invite_only: true, can_subscribe_group: group(member) });
  await server.channel(owner, { name: 'managed', invite_only: true, can_administer_channel_group: group(member) });
});
afterAll(() => server.close());

interface Channel {
  readonly name: string;
  readonly is_default?: boolean;
}
const NOTHING = { include_public: false, include_subscribed: false };
const names = async (by: Person, params: Record<string, unknown> = {}) =>
  (await by.get<{ streams: Channel[] }>('/streams', params)).body.streams.map(({ name }) => name);
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });

describe('GET /streams', () => {
  it('lists public channels and subscriptions, by name', async () => {
    expect(await names(member)).toEqual(['Zoo', 'alley', 'general', 'ours', 'Öffentlich']);
    expect(await names(guest)).toEqual(['Zoo', 'general']);
    expect(await names(administrator)).toEqual(['Zoo', 'alley', 'general', 'Öffentlich']);
  });

  it('lists each source by itself, and nothing without any', async () => {
    const only = (by: Person, source: string) => names(by, { ...NOTHING, [source]: true });
    expect(await names(member, NOTHING)).toEqual([]);
    expect(await only(member, 'include_public')).toEqual(['Zoo', 'alley', 'general', 'Öffentlich']);
    expect(await only(guest, 'include_public')).toEqual([]);
    expect(await only(member, 'include_web_public')).toEqual([]);
    expect(await only(member, 'include_subscribed')).toEqual(['Zoo', 'general', 'ours']);
    expect(await only(member, 'include_can_access_content')).toEqual([
      'Zoo',
      'alley',
      'general',
      'joinable',
      'ours',
      'Öffentlich',
    ]);
    expect(await only(member, 'include_all')).toEqual([
      'Zoo',
      'alley',
      'general',
      'joinable',
      'managed',
      'ours',
      'Öffentlich',
    ]);
    expect(await only(administrator, 'include_all_active')).toEqual([
      'Zoo',
      'alley',
      'general',
      'joinable',
      'managed',
      'ours',
      'secret',
      'Öffentlich',
    ]);
    expect(await only(guest, 'include_all')).toEqual(['Zoo', 'general']);
  });

  it('lists channels of the owner of a bot that the bot may see', async () => {
    expect(await names(bot, { ...NOTHING, include_owner_subscribed: true })).toEqual(['Zoo', 'general']);
    expect(await names(member, { ...NOTHING, include_owner_subscribed: true })).toEqual([]);
  });

  it('marks default channels only on request', async () => {
    const { body } = await member.get<{ streams: Channel[] }>('/streams', { include_default: true });
    expect(body.streams.filter(({ is_default }) => is_default).map(({ name }) => name)).toEqual([
      'general',
      'Öffentlich',
    ]);
    expect((await member.get<{ streams: Channel[] }>('/streams')).body.streams[0]).not.toHaveProperty('is_default');
  });

  it('refuses invalid booleans, and two spellings at once', async () => {
    expect(await member.get('/streams', { include_all: 'yes' })).toMatchObject(refused('BAD_REQUEST'));
    expect(await member.get('/streams', { include_all: true, include_all_active: true })).toMatchObject(
      refused('REQUEST_CONFUSING_VAR'),
    );
  });
});

describe('GET /get_stream_id', () => {
  const find = (by: Person, stream: string) => by.get<{ stream_id: number }>('/get_stream_id', { stream });

  it('finds a channel by its name in any letter case', async () => {
    const { body } = await find(member, 'zOO');
    expect(body).toEqual({ result: 'success', msg: '', stream_id: expect.any(Number) as number });
    expect((await find(member, 'öffentlich')).status).toBe(200);
    expect((await find(guest, 'Zoo')).body.stream_id).toBe(body.stream_id);
  });

  it('requires access to its content', async () => {
    expect((await find(member, 'joinable')).status).toBe(200);
    for (const [by, name] of [
      [administrator, 'secret'],
      [member, 'managed'],
      [member, 'secret'],
      [guest, 'alley'],
      [member, 'nowhere'],
      [member, ''],
    ] as const) {
      expect(await find(by, name)).toMatchObject(refused('BAD_REQUEST'));
    }
    expect(await member.get('/get_stream_id')).toMatchObject(refused('REQUEST_VARIABLE_MISSING'));
  });
});
