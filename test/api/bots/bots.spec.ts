import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let administrator: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person();
  administrator = await server.person({ role: 'administrator' });
});
afterAll(() => server.close());

interface Bot {
  readonly user_id: number;
  readonly api_key: string;
}
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const create = (by: Person, request: object = {}) =>
  by.post<Bot>('/bots', { full_name: 'Reminder', short_name: 'reminder', ...request });

describe('POST /bots', () => {
  it('creates a bot, with more details for its owner and administrators', async () => {
    let bot: Bot | undefined;
    const received = await administrator.receive(async () => {
      const { status, body } = await create(member);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          result: 'success',
          msg: '',
          user_id: expect.any(Number) as number,
          api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string,
          avatar_url: expect.stringContaining('https://secure.gravatar.com/avatar/') as string,
          default_sending_stream: null,
          default_events_register_stream: null,
          default_all_public_streams: false,
        },
      });
      bot = body;
    });
    expect(received.map(({ type, op }) => `${type}/${op}`)).toEqual([
      'realm_user/add',
      'realm_bot/add',
      'user_group/add_members',
      'user_group/add_members',
    ]);
    expect(received[0]).toMatchObject({
      person: {
        user_id: bot?.user_id,
        email: 'reminder-bot@annals.invalid',
        delivery_email: 'reminder-bot@annals.invalid',
        is_bot: true,
        bot_type: 1,
        bot_owner_id: member.id,
        role: 400,
      },
    });
    expect(received[1]).toEqual({
      id: expect.any(Number) as number,
      type: 'realm_bot',
      op: 'add',
      bot: {
        user_id: bot?.user_id,
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
        services: [],
      },
    });
    const acts = server.as({ email: 'reminder-bot@annals.invalid', key: bot?.api_key ?? '' });
    expect(await acts.get('/users/me')).toMatchObject({ status: 200, body: { user_id: bot?.user_id } });
  });

  it('sends the details to the owner and administrators only', async () => {
    const others = await server.person();
    const forOthers = await others.receive(() => create(member, { short_name: 'quiet' }), 'realm_bot');
    expect(forOthers).toEqual([]);
    const forOwner = await member.receive(() => create(member, { short_name: 'loud' }), 'realm_bot');
    expect(forOwner).toHaveLength(1);
  });

  it.each([1, 2])('creates bots of type %i', async (bot_type) => {
    const { body } = await create(member, { short_name: `type${bot_type}`, bot_type });
    const { body: shown } = await owner.get<{ user: object }>(`/users/${body.user_id}`);
    expect(shown.user).toMatchObject({ bot_type });
  });

  it.each<[object]>([
    [{ bot_type: 0 }],
    [{ bot_type: 5 }],
    [{ bot_type: 'generic' }],
    [{ short_name: '' }],
    [{ short_name: 'two words' }],
    [{ short_name: 'a@b' }],
    [{ short_name: 'ReMiNdEr' }],
    [{ full_name: 'x', short_name: 'x1' }],
    [{ full_name: 'a*b', short_name: 'x2' }],
    [{ short_name: 'x3', config_data: { key: 'value' } }],
    [{ short_name: 'x4', config_data: { key: 1 } }],
    [{ short_name: 'x5', bot_type: 2, service_name: 'github' }],
  ])('refuses %j', async (request) => {
    expect(await create(owner, request)).toMatchObject(refused('BAD_REQUEST'));
  });

  it.each(['full_name', 'short_name'])('requires %s', async (name) => {
    expect((await create(owner, { [name]: undefined })).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    });
  });

  it('is not allowed to guests and bots', async () => {
    const guest = await server.person({ role: 'guest' });
    const bot = await server.bot(owner);
    for (const by of [guest, bot]) {
      expect(await create(by, { short_name: 'denied' })).toMatchObject(refused('BAD_REQUEST'));
    }
  });

  it('is allowed as the organization says', async () => {
    const { body } = await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
    const group = (name: string) => body.user_groups.find((one) => one.name === name)?.id;
    const set = (setting: string, name: string) => owner.patch('/realm', { [setting]: { new: group(name) } });
    await set('can_create_bots_group', 'role:administrators');
    expect(await create(member, { short_name: 'denied' })).toMatchObject(refused('BAD_REQUEST'));
    expect((await create(member, { short_name: 'hook', bot_type: 2 })).status).toBe(200);
    await set('can_create_write_only_bots_group', 'role:administrators');
    expect(await create(member, { short_name: 'denied', bot_type: 2 })).toMatchObject(refused('BAD_REQUEST'));
    expect((await create(administrator, { short_name: 'granted' })).status).toBe(200);
    await set('can_create_bots_group', 'role:members');
    await set('can_create_write_only_bots_group', 'role:members');
  });
});

describe('DELETE /bots/{bot_id}', () => {
  it('deactivates a bot for its owner and administrators, and its key ends at once', async () => {
    for (const by of [member, administrator]) {
      const bot = await server.bot(member);
      expect((await bot.get('/users/me')).status).toBe(200);
      const received = await owner.receive(() => by.delete(`/bots/${bot.id}`));
      expect(received.map(({ type, op }) => `${type}/${op}`)).toEqual([
        'user_group/remove_members',
        'user_group/remove_members',
        'realm_user/update',
        'realm_bot/delete',
      ]);
      expect(received[2]).toMatchObject({ person: { user_id: bot.id, is_active: false } });
      expect(received[3]).toMatchObject({ bot: { user_id: bot.id } });
      expect(await bot.get('/users/me')).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
    }
  });

  it('is not allowed to others, and refuses people and unknown ids', async () => {
    const bot = await server.bot(owner);
    const moderator = await server.person({ role: 'moderator' });
    for (const by of [member, moderator]) {
      expect(await by.delete(`/bots/${bot.id}`)).toMatchObject(refused('BAD_REQUEST'));
    }
    for (const id of [member.id, 999_999]) {
      expect(await owner.delete(`/bots/${id}`)).toMatchObject(refused('BAD_REQUEST'));
    }
    expect((await bot.get('/users/me')).status).toBe(200);
  });

  it('changes nothing when the bot is deactivated', async () => {
    const bot = await server.bot(member);
    await member.delete(`/bots/${bot.id}`);
    const received = await owner.receive(async () => {
      expect((await member.delete(`/bots/${bot.id}`)).status).toBe(200);
    });
    expect(received).toEqual([]);
  });
});

describe('realm_bots of POST /register', () => {
  const bots = async (by: Person) => {
    const { realm_bots } = await by.register({ fetch_event_types: ['realm_bot'] });
    return (realm_bots as { user_id: number }[]).map(({ user_id }) => user_id);
  };

  it('are the active bots that the user may administer', async () => {
    const [mine, deactivated] = [await server.bot(member), await server.bot(member)];
    const other = await server.bot(owner);
    await member.delete(`/bots/${deactivated.id}`);
    expect(await bots(member)).toContain(mine.id);
    expect(await bots(member)).not.toContain(other.id);
    expect(await bots(administrator)).toEqual(expect.arrayContaining([mine.id, other.id]));
    for (const by of [member, administrator]) expect(await bots(by)).not.toContain(deactivated.id);
  });

  it('follow the role of an account', async () => {
    const climber = await server.person();
    const before = await bots(climber);
    expect(before).toEqual([]);
    const received = await climber.receive(() => owner.patch(`/users/${climber.id}`, { role: 200 }), 'realm_bot');
    const gained = received.map(({ op, bot }) => [op, (bot as { user_id: number }).user_id]);
    expect(gained).toEqual((await bots(climber)).map((id) => ['add', id]));
    const back = await climber.receive(() => owner.patch(`/users/${climber.id}`, { role: 400 }), 'realm_bot');
    expect(back.map(({ op }) => op)).toEqual(gained.map(() => 'delete'));
  });
});
