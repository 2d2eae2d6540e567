import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, administrator, member, guest } = await startWithUsers()));
afterAll(() => server.close());

interface User {
  readonly user_id: number;
  readonly full_name: string;
  readonly role: number;
  readonly is_active: boolean;
}
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

  it('shows a user, also to guests', async () => {
    for (const by of [owner, member, guest]) {
      expect((await by.get(`/users/${member.id}`)).body).toEqual({ result: 'success', msg: '', user: shown() });
    }
  });

  it('finds users by email in any letter case, encoded or not, and by placeholder', async () => {
    const placeholder = `user${member.id}@annals.invalid`;
    for (const name of [member.email, member.email.toUpperCase(), encodeURIComponent(member.email), placeholder]) {
      expect(await user(name)).toEqual(shown());
    }
  });

  it('omits the picture for clients that compute it, and adds profile data on request', async () => {
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

  it('refuses unknown users', async () => {
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

  it('has the newest message that the user received', async () => {
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
  it('lists all users by id, with bots and deactivated users, without the system bot', async () => {
    const deactivated = await server.person();
    const bot = await server.bot(member);
    await owner.delete(`/users/${deactivated.id}`);
    const { body } = await guest.get<{ members: User[] }>('/users');
    const ids = body.members.map(({ user_id }) => user_id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(ids).toEqual(expect.arrayContaining([owner.id, deactivated.id, bot.id]));
    expect(ids).not.toContain((await user(NOTIFICATION_BOT)).user_id);
    expect(body.members.find(({ user_id }) => user_id === deactivated.id)).toMatchObject({ is_active: false });
  });

  it('can be restricted, and has profile data on request', async () => {
    const bot = await server.bot(member);
    const params = { user_ids: [bot.id, owner.id, 999_999], include_custom_profile_fields: true };
    const { body } = await member.get<{ members: object[] }>('/users', params);
    expect(body.members).toMatchObject([
      { user_id: owner.id, profile_data: {} },
      { user_id: bot.id, is_bot: true, bot_owner_id: member.id },
    ]);
    expect(body.members[1]).not.toHaveProperty('profile_data');
  });

  it('requires a login', async () => {
    const answer = await server.anonymous.get('/users');
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED_USER' } });
  });
});

describe('the directory of POST /register', () => {
  const state = (by: Person, more: object = {}) => by.register({ fetch_event_types: ['realm_user'], ...more });
  const ids = (users: unknown) => (users as User[]).map(({ user_id }) => user_id);

  it('lists active, deactivated and system accounts separately', async () => {
    const deactivated = await server.person();
    await owner.delete(`/users/${deactivated.id}`);
    const { realm_users, realm_non_active_users, cross_realm_bots } = await state(guest);
    expect(ids(realm_users)).toEqual(ids(realm_users).sort((a, b) => a - b));
    expect(ids(realm_users)).toEqual(expect.arrayContaining([owner.id, member.id, guest.id]));
    expect(ids(realm_users)).not.toContain(deactivated.id);
    expect(ids(realm_non_active_users)).toContain(deactivated.id);
    expect(cross_realm_bots).toMatchObject([{ email: NOTIFICATION_BOT, is_system_bot: true }]);
    for (const one of [realm_users, realm_non_active_users, cross_realm_bots].flat()) {
      expect(one).not.toHaveProperty('is_active');
    }
  });

  it('has profile data of users, and pictures for clients that do not compute them', async () => {
    const shown = async (more: object) =>
      ((await state(owner, more))['realm_users'] as User[]).find(({ user_id }) => user_id === member.id);
    expect(await shown({})).toMatchObject({ profile_data: {}, avatar_url: null });
    expect(await shown({ client_gravatar: false })).toMatchObject({
      avatar_url: expect.stringContaining('https://secure.gravatar.com/avatar/') as string,
    });
  });

  it('has the own account with its permissions', async () => {
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
