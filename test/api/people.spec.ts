import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
let groups: Record<string, number>;
beforeAll(async () => {
  server = await startServer();
  owner = server.owner;
  administrator = await server.person({ role: 'administrator', name: 'Ada' });
  member = await server.person({ name: 'Mia' });
  guest = await server.person({ role: 'guest', name: 'Gus' });
  const { body } = await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
  groups = Object.fromEntries(body.user_groups.map(({ id, name }) => [name.replace('role:', ''), id]));
});
afterAll(() => server.close());

interface User {
  readonly user_id: number;
  readonly full_name: string;
  readonly role: number;
  readonly is_active: boolean;
}
const ok = { status: 200, body: { result: 'success', msg: '' } };
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const user = async (id: number | string, by: Person = owner) =>
  (await by.get<{ user: User }>(`/users/${id}`)).body.user;
const NOTIFICATION_BOT = 'notification-bot@annals.invalid';

describe('GET /users/{user_id}', () => {
  const shown = () => ({
    user_id: member.id,
    email: member.email,
    delivery_email: member.email,
    full_name: 'Mia',
    date_joined: '2026-01-01T00:00+00:00',
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    role: 400,
    bot_type: null,
    bot_owner_id: null,
    timezone: '',
    avatar_url: null,
    avatar_version: 1,
    is_imported_stub: false,
  });

  it('shows somebody, also to guests', async () => {
    for (const by of [owner, member, guest]) {
      expect((await by.get(`/users/${member.id}`)).body).toEqual({ result: 'success', msg: '', user: shown() });
    }
  });

  it('finds people by address in any letter case, encoded or not, and by placeholder', async () => {
    const placeholder = `user${member.id}@annals.invalid`;
    for (const name of [member.email, member.email.toUpperCase(), encodeURIComponent(member.email), placeholder]) {
      expect(await user(name)).toEqual(shown());
    }
  });

  it('leaves the picture to clients that make it themselves, and adds profile data when asked', async () => {
    const params = { client_gravatar: false, include_custom_profile_fields: true };
    const { body } = await owner.get<{ user: object }>(`/users/${member.id}`, params);
    expect(body.user).toEqual({
      ...shown(),
      avatar_url: expect.stringMatching(
        /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=1$/,
      ) as string,
      profile_data: {},
    });
  });

  it('shows roles as flags', async () => {
    const flags = async (id: number) => {
      const { is_owner, is_admin, is_guest } = (await user(id)) as User & Record<string, boolean>;
      return { is_owner, is_admin, is_guest };
    };
    expect(await flags(owner.id)).toEqual({ is_owner: true, is_admin: true, is_guest: false });
    expect(await flags(administrator.id)).toEqual({ is_owner: false, is_admin: true, is_guest: false });
    expect(await flags(guest.id)).toEqual({ is_owner: false, is_admin: false, is_guest: true });
  });

  it('marks the bot of the server', async () => {
    expect(await user(NOTIFICATION_BOT)).toMatchObject({ is_system_bot: true, is_bot: true, bot_owner_id: null });
  });

  it('knows nobody else', async () => {
    for (const name of [
      '999999',
      '0',
      'nobody@example.com',
      'user999999@annals.invalid',
      'x',
      '99999999999999999999',
    ]) {
      expect(await owner.get(`/users/${name}`)).toMatchObject(refused('BAD_REQUEST'));
    }
  });

  it('refuses parameters of the wrong kind', async () => {
    expect(await owner.get(`/users/${member.id}`, { client_gravatar: 'yes' })).toMatchObject(refused('BAD_REQUEST'));
  });
});

describe('GET /users/me', () => {
  it('is flat, with a picture', async () => {
    const { body } = await member.get('/users/me');
    expect(body).toMatchObject({
      result: 'success',
      user_id: member.id,
      email: member.email,
      delivery_email: member.email,
      full_name: 'Mia',
      role: 400,
      is_active: true,
      avatar_url: expect.stringContaining('https://secure.gravatar.com/avatar/') as string,
      profile_data: {},
    });
    expect(body).not.toHaveProperty('user');
  });

  it('tells the newest message somebody received', async () => {
    const newcomer = await server.person();
    const newest = async () => (await newcomer.get<{ max_message_id: number }>('/users/me')).body.max_message_id;
    expect(await newest()).toBe(-1);
    const toGeneral = { type: 'channel', to: 'general', topic: 'hello', content: 'hello' };
    const inChannel = await owner.post<{ id: number }>('/messages', toGeneral);
    expect(await newest()).toBe(inChannel.body.id);
    const direct = await owner.post<{ id: number }>('/messages', {
      type: 'direct',
      to: [newcomer.id],
      content: 'psst',
    });
    expect(await newest()).toBe(direct.body.id);
    await owner.post('/messages', { type: 'direct', to: [member.id], content: 'not for newcomers' });
    expect(await newest()).toBe(direct.body.id);
  });
});

describe('GET /users', () => {
  it('lists everybody in the order of ids: bots and deactivated people too, the server’s bot not', async () => {
    const gone = await server.person();
    const bot = await server.bot(member);
    await owner.delete(`/users/${gone.id}`);
    const { body } = await guest.get<{ members: User[] }>('/users');
    const ids = body.members.map(({ user_id }) => user_id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(ids).toEqual(expect.arrayContaining([owner.id, gone.id, bot.id]));
    expect(ids).not.toContain((await user(NOTIFICATION_BOT)).user_id);
    expect(body.members.find(({ user_id }) => user_id === gone.id)).toMatchObject({ is_active: false });
  });

  it('can be restricted, and has profile data of people when asked', async () => {
    const bot = await server.bot(member);
    const params = { user_ids: [bot.id, owner.id, 999_999], include_custom_profile_fields: true };
    const { body } = await member.get<{ members: object[] }>('/users', params);
    expect(body.members).toMatchObject([
      { user_id: owner.id, profile_data: {} },
      { user_id: bot.id, is_bot: true, bot_owner_id: member.id },
    ]);
    expect(body.members[1]).not.toHaveProperty('profile_data');
  });

  it('is closed to strangers', async () => {
    const answer = await server.stranger.get('/users');
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED_USER' } });
  });
});

describe('the directory of POST /register', () => {
  const state = (by: Person, more: object = {}) => by.register({ fetch_event_types: ['realm_user'], ...more });
  const ids = (users: unknown) => (users as User[]).map(({ user_id }) => user_id);

  it('has active and deactivated people and bots apart, and the bot of the server', async () => {
    const gone = await server.person();
    await owner.delete(`/users/${gone.id}`);
    const { realm_users, realm_non_active_users, cross_realm_bots } = await state(guest);
    expect(ids(realm_users)).toEqual(ids(realm_users).sort((a, b) => a - b));
    expect(ids(realm_users)).toEqual(expect.arrayContaining([owner.id, member.id, guest.id]));
    expect(ids(realm_users)).not.toContain(gone.id);
    expect(ids(realm_non_active_users)).toContain(gone.id);
    expect(cross_realm_bots).toMatchObject([{ email: NOTIFICATION_BOT, is_system_bot: true }]);
    for (const one of [realm_users, realm_non_active_users, cross_realm_bots].flat()) {
      expect(one).not.toHaveProperty('is_active');
    }
  });

  it('has profile data of people, and pictures for clients that do not make them', async () => {
    const shown = async (more: object) =>
      ((await state(owner, more))['realm_users'] as User[]).find(({ user_id }) => user_id === member.id);
    expect(await shown({})).toMatchObject({ profile_data: {}, avatar_url: null });
    expect(await shown({ client_gravatar: false })).toMatchObject({
      avatar_url: expect.stringContaining('https://secure.gravatar.com/avatar/') as string,
    });
  });

  it('has the own account with its rights', async () => {
    expect(await state(member)).toMatchObject({
      user_id: member.id,
      email: member.email,
      delivery_email: member.email,
      full_name: 'Mia',
      avatar_url: expect.stringContaining('?d=identicon&version=1') as string,
      avatar_url_medium: expect.stringContaining('?d=identicon&s=500&version=1') as string,
      avatar_source: 'G',
      is_owner: false,
      is_admin: false,
      is_moderator: false,
      is_guest: false,
      can_create_public_streams: true,
      can_create_private_streams: true,
      can_create_web_public_streams: false,
      can_create_streams: true,
      can_invite_others_to_realm: true,
      can_subscribe_other_users: true,
    });
    expect(await state(administrator)).toMatchObject({ is_owner: false, is_admin: true, is_moderator: true });
    expect(await state(guest)).toMatchObject({
      is_guest: true,
      can_create_public_streams: false,
      can_create_streams: false,
      can_invite_others_to_realm: false,
      can_subscribe_other_users: false,
    });
  });
});

describe('POST /users', () => {
  const wish = (wished: object = {}) => ({
    email: 'new@example.com',
    full_name: 'New Comer',
    password: 'a very good one',
    ...wished,
  });

  it('makes an account in the default channels, and tells everybody in order', async () => {
    let id = 0;
    const events = await member.receive(async () => {
      const { status, body } = await owner.post<{ user_id: number }>('/users', wish({ email: ' First@example.com ' }));
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', user_id: body.user_id } });
      id = body.user_id;
    });
    expect(events.map(({ type, op }) => `${type}/${op}`)).toEqual([
      'realm_user/add',
      'user_group/add_members',
      'user_group/add_members',
      'subscription/peer_add',
    ]);
    expect(events[0]).toMatchObject({
      person: {
        user_id: id,
        email: 'First@example.com',
        is_active: true,
        role: 400,
        profile_data: {},
        avatar_url: null,
      },
    });
    expect(events.slice(1, 3)).toMatchObject([
      { group_id: groups['members'], user_ids: [id] },
      { group_id: groups['fullmembers'], user_ids: [id] },
    ]);
    expect(events[3]).toMatchObject({ user_ids: [id] });
  });

  it.each<[object]>([
    [{ full_name: 'x' }],
    [{ full_name: '   ' }],
    [{ full_name: 'x'.repeat(101) }],
    [{ full_name: 'a@b' }],
    [{ full_name: 'Ann|7' }],
    [{ full_name: 'tab\there' }],
    [{ email: 'no address' }],
    [{ email: '' }],
    [{ email: 'OWNER@example.com' }],
    [{ email: 'notification-bot@annals.invalid' }],
    [{ password: 'short' }],
    [{ password: '12345678' }],
    [{ password: 'new@example.com' }],
    [{ password: 'x'.repeat(101) }],
  ])('refuses %j', async (wished) => {
    expect(await owner.post('/users', wish(wished))).toMatchObject(refused('BAD_REQUEST'));
    expect(await owner.get('/users/new@example.com')).toMatchObject(refused('BAD_REQUEST'));
  });

  it.each(['email', 'full_name', 'password'])('wants %s', async (name) => {
    const { body } = await owner.post('/users', wish({ [name]: undefined }));
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: name });
  });

  it('is for administrators with the special permission', async () => {
    expect(await administrator.post('/users', wish())).toMatchObject(refused('BAD_REQUEST'));
    const another = await server.person({ role: 'owner' });
    expect(await another.post('/users', wish())).toMatchObject(refused('BAD_REQUEST'));
    expect(await member.post('/users', wish())).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    expect(await member.post('/users', {})).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    await owner.patch(`/users/${another.id}`, { role: 400 });
  });

  it('refuses addresses that are thrown away, as long as the organization does', async () => {
    const throwaway = wish({ email: 'new@inbox.mailinator.com' });
    expect(await owner.post('/users', throwaway)).toMatchObject(refused('BAD_REQUEST'));
    expect(await owner.get('/users/new@inbox.mailinator.com')).toMatchObject(refused('BAD_REQUEST'));
    await owner.patch('/realm', { disallow_disposable_email_addresses: false });
    expect(await owner.post('/users', throwaway)).toMatchObject(ok);
    await owner.patch('/realm', { disallow_disposable_email_addresses: true });
  });

  it('wants unique names where the organization does', async () => {
    await owner.patch('/realm', { require_unique_names: true });
    expect(await owner.post('/users', wish({ full_name: 'mIA' }))).toMatchObject(refused('BAD_REQUEST'));
    await owner.patch('/realm', { require_unique_names: false });
    expect(await owner.post('/users', wish({ full_name: 'mIA', email: 'second@example.com' }))).toMatchObject(ok);
  });
});

describe('PATCH /users/{user_id}', () => {
  it('changes a name, by id and by address', async () => {
    const person = await server.person();
    const events = await member.receive(async () => {
      expect(await administrator.patch(`/users/${person.id}`, { full_name: ' Lear ' })).toMatchObject(ok);
      expect(await owner.patch(`/users/${encodeURIComponent(person.email)}`, { full_name: 'King Lear' })).toMatchObject(
        ok,
      );
    }, 'realm_user');
    expect(await user(person.id)).toMatchObject({ full_name: 'King Lear' });
    // A name is shown as it is when it is told.
    expect(events).toMatchObject([
      { op: 'update', person: { user_id: person.id, full_name: 'King Lear' } },
      { op: 'update', person: { user_id: person.id, full_name: 'King Lear' } },
    ]);
  });

  it('changes a role, and tells who is in which group now', async () => {
    const person = await server.person();
    const events = await member.receive(async () => {
      expect(await administrator.patch(`/users/${person.id}`, { role: 300 })).toMatchObject(ok);
    });
    expect(await user(person.id)).toMatchObject({ role: 300 });
    const told = events.filter(({ type }) => type === 'realm_user' || type === 'user_group');
    const of = (type: string, op: string, more: object) => ({ id: expect.any(Number) as number, type, op, ...more });
    expect(told).toEqual([
      of('realm_user', 'update', { person: { user_id: person.id, role: 300 } }),
      of('user_group', 'remove_members', { group_id: groups['members'], user_ids: [person.id] }),
      of('user_group', 'remove_members', { group_id: groups['fullmembers'], user_ids: [person.id] }),
      of('user_group', 'add_members', { group_id: groups['moderators'], user_ids: [person.id] }),
    ]);
  });

  it('gives the rights of the role at once', async () => {
    const person = await server.person();
    expect((await person.patch(`/users/${member.id}`, { full_name: 'Mia' })).status).toBe(400);
    await owner.patch(`/users/${person.id}`, { role: 200 });
    expect((await person.patch(`/users/${member.id}`, { full_name: 'Mia' })).status).toBe(200);
    await owner.patch(`/users/${person.id}`, { role: 400 });
    expect((await person.patch(`/users/${member.id}`, { full_name: 'Mia' })).status).toBe(400);
  });

  it('is silent about what is so already', async () => {
    const events = await owner.receive(async () => {
      for (const params of [{}, { full_name: 'Mia', role: 400 }, { full_name: '  ' }, { full_name: '' }]) {
        expect(await owner.patch(`/users/${member.id}`, params)).toMatchObject(ok);
      }
    });
    expect(events).toEqual([]);
  });

  it('is for administrators', async () => {
    const moderator = await server.person({ role: 'moderator' });
    for (const by of [moderator, member, guest]) {
      expect(await by.patch(`/users/${guest.id}`, { full_name: 'Other' })).toMatchObject(refused('BAD_REQUEST'));
      expect(await by.patch(`/users/${by.id}`, { role: 100 })).toMatchObject(refused('BAD_REQUEST'));
    }
  });

  it('lets only owners give and take the owner role', async () => {
    const unauthorized = refused('UNAUTHORIZED_PRINCIPAL');
    expect(await administrator.patch(`/users/${member.id}`, { role: 100 })).toMatchObject(unauthorized);
    expect(await administrator.patch(`/users/${owner.id}`, { role: 200 })).toMatchObject(unauthorized);
    expect(await administrator.patch(`/users/${administrator.id}`, { role: 100 })).toMatchObject(unauthorized);
  });

  it('makes no guest an administrator or owner', async () => {
    for (const role of [200, 100]) {
      expect(await owner.patch(`/users/${guest.id}`, { role })).toMatchObject(refused('BAD_REQUEST'));
    }
    expect(await user(guest.id)).toMatchObject({ role: 600 });
  });

  it('keeps the last owner', async () => {
    expect(await owner.patch(`/users/${owner.id}`, { role: 400 })).toMatchObject(refused('BAD_REQUEST'));
    const bot = await server.bot(owner);
    expect(await owner.patch(`/users/${bot.id}`, { role: 100 })).toMatchObject(ok);
    expect(await owner.patch(`/users/${owner.id}`, { role: 400 })).toMatchObject(refused('BAD_REQUEST'));
  });

  it.each<[object]>([
    [{ role: 500 }],
    [{ role: '"400"' }],
    [{ role: 'member' }],
    [{ full_name: 'x' }],
    [{ full_name: 'a>b' }],
  ])('refuses %j, and does nothing else of it', async (params) => {
    expect(await owner.patch(`/users/${member.id}`, { full_name: 'Maria', ...params })).toMatchObject(
      refused('BAD_REQUEST'),
    );
    expect(await user(member.id)).toMatchObject({ full_name: 'Mia', role: 400 });
  });

  it('knows nobody else', async () => {
    for (const name of ['999999', 'nobody@example.com', NOTIFICATION_BOT]) {
      expect(await owner.patch(`/users/${name}`, { role: 400 })).toMatchObject(refused('BAD_REQUEST'));
    }
  });
});

describe('DELETE /users/{user_id}', () => {
  it('ends an account and those of its bots, and tells everybody in order', async () => {
    const gone = await server.person();
    const bot = await server.bot(gone);
    const events = await member.receive(async () => {
      expect(await administrator.delete(`/users/${gone.id}`)).toMatchObject(ok);
    });
    expect(events.map(({ type, op }) => `${type}/${op}`)).toEqual([
      'user_group/remove_members',
      'user_group/remove_members',
      'realm_user/update',
      'user_group/remove_members',
      'user_group/remove_members',
      'subscription/peer_remove',
      'realm_user/update',
    ]);
    expect(events[2]).toMatchObject({ person: { user_id: bot.id, is_active: false } });
    expect(events.at(-1)).toMatchObject({ person: { user_id: gone.id, is_active: false } });
    expect(await user(gone.id)).toMatchObject({ is_active: false });
    for (const one of [gone, bot]) {
      expect(await one.get('/users/me')).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
    }
  });

  it('closes the bots of somebody to administrators', async () => {
    const gone = await server.person();
    const bot = await server.bot(gone);
    const events = await administrator.receive(() => owner.delete(`/users/${gone.id}`), 'realm_bot');
    expect(events).toMatchObject([{ op: 'delete', bot: { user_id: bot.id } }]);
  });

  it('lets an account be changed that has ended', async () => {
    const gone = await server.person();
    await owner.delete(`/users/${gone.id}`);
    expect(await owner.patch(`/users/${gone.id}`, { full_name: 'Late Name', role: 600 })).toMatchObject(ok);
    expect(await user(gone.id)).toMatchObject({ full_name: 'Late Name', role: 600, is_active: false });
  });

  it('refuses what cannot be', async () => {
    const gone = await server.person();
    const bot = await server.bot(owner);
    await owner.delete(`/users/${gone.id}`);
    const { user_id: system } = await user(NOTIFICATION_BOT);
    for (const id of [gone.id, bot.id, system, owner.id, 999_999]) {
      expect(await owner.delete(`/users/${id}`)).toMatchObject(refused('BAD_REQUEST'));
    }
    expect((await owner.get('/users/me')).status).toBe(200);
  });

  it('is for administrators, and of owners for owners', async () => {
    const second = await server.person({ role: 'owner' });
    for (const [by, id] of [
      [member, guest.id],
      [guest, guest.id],
      [administrator, second.id],
    ] as const) {
      expect(await by.delete(`/users/${id}`)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    }
    expect(await owner.delete(`/users/${second.id}`)).toMatchObject(ok);
  });

  it('matches ids only', async () => {
    expect(await owner.delete('/users/somebody')).toMatchObject({ status: 405 });
  });
});
