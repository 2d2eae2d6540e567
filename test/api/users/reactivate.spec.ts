import { startWithUsers } from '../../support/server/start-with-users';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => ({ server, owner, administrator, member, guest, groups } = await startWithUsers()));
afterAll(() => server.close());

const done = { status: 200, body: { result: 'success', msg: '' } };
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const shown = async ({ id }: Pick<Person, 'id'>, by: Person = owner) =>
  granted(await by.get<{ user: { is_active: boolean; role: number } }>(`/users/${id}`)).user;
const back = (by: Person, { id }: { readonly id: number }) => by.post(`/users/${id}/reactivate`);
async function deactivatedPerson(request: Parameters<TestServer['person']>[0] = {}): Promise<Person> {
  const person = await server.person(request);
  granted(await owner.delete(`/users/${person.id}`));
  return person;
}
const subscribersOf = async (channel: number) =>
  granted(await owner.get<{ subscribers: number[] }>(`/streams/${channel}/members`)).subscribers;

async function unreadOf(person: Person): Promise<number[]> {
  const { unread_msgs } = granted(
    await person.post<{ unread_msgs: { streams: { unread_message_ids: number[] }[] } }>('/register'),
  );
  return unread_msgs.streams.flatMap(({ unread_message_ids }) => unread_message_ids).sort((a, b) => a - b);
}

describe('POST /users/{user_id}/reactivate', () => {
  it('activates an account with its former keys and password', async () => {
    const person = await deactivatedPerson();
    expect(await person.get('/users/me')).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
    expect(await back(administrator, person)).toEqual(expect.objectContaining(done));
    expect(await person.get('/users/me')).toMatchObject({ status: 200, body: { is_active: true } });
    const login = { username: person.email, password: person.password };
    expect((await server.anonymous.post('/fetch_api_key', login)).status).toBe(200);
    expect(await shown(person)).toMatchObject({ is_active: true, role: 400 });
  });

  it('sends the user, then their groups and channels', async () => {
    const person = await server.person();
    const channel = await server.channel(owner, { subscribers: [owner, member, person] });
    const made = { name: 'bakers', description: '', members: [person.id, owner.id] };
    const { group_id } = granted(await owner.post<{ group_id: number }>('/user_groups/create', made));
    granted(await owner.delete(`/users/${person.id}`));
    expect(await subscribersOf(channel)).not.toContain(person.id);
    const events = await member.receive(async () => expect(await back(owner, person)).toMatchObject(done));
    const joins = (id: number | undefined) => ({
      type: 'user_group',
      op: 'add_members',
      group_id: id,
      user_ids: [person.id],
    });
    expect(events.map(({ id: _, ...event }) => event)).toEqual([
      { type: 'realm_user', op: 'update', person: { user_id: person.id, is_active: true } },
      joins(groups['members']),
      joins(groups['fullmembers']),
      joins(group_id),
      expect.objectContaining({ type: 'subscription', op: 'peer_add', user_ids: [person.id] }),
      { type: 'subscription', op: 'peer_add', stream_ids: [channel], user_ids: [person.id] },
    ]);
    expect(await subscribersOf(channel)).toContain(person.id);
    const { members } = granted(await owner.get<{ members: number[] }>(`/user_groups/${group_id}/members`));
    expect(members).toContain(person.id);
    const { subscriptions } = granted(
      await person.get<{ subscriptions: { stream_id: number }[] }>('/users/me/subscriptions'),
    );
    expect(subscriptions.map(({ stream_id }) => stream_id)).toContain(channel);
  });

  it('does not deliver messages sent meanwhile, and keeps unread messages until they leave the channel', async () => {
    const person = await server.person();
    const protects = { invite_only: true, history_public_to_subscribers: false };
    const { id: to, name } = await server.namedChannel(owner, { subscribers: [owner, person], ...protects });
    const say = async (content: string) =>
      granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'news', content })).id;
    const before = await say('before');
    granted(await owner.delete(`/users/${person.id}`));
    const meanwhile = await say('meanwhile');
    granted(await back(owner, person));
    const after = await say('after');
    expect((await person.get(`/messages/${before}`)).status).toBe(200);
    expect((await person.get(`/messages/${after}`)).status).toBe(200);
    expect(await person.get(`/messages/${meanwhile}`)).toMatchObject(refused('BAD_REQUEST'));
    expect(await unreadOf(person)).toEqual([before, after]);
    const narrow = [{ operator: 'channel', operand: to }];
    const found = { anchor: 'first_unread', num_before: 0, num_after: 10, narrow };
    const { messages } = granted(await person.get<{ messages: { id: number; flags: string[] }[] }>('/messages', found));
    expect(messages).toMatchObject([before, after].map((id) => ({ id, flags: [] })));
    const flags = await person.receive(
      async () =>
        granted(await owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [person.id] })),
      'update_message_flags',
    );
    expect(flags).toMatchObject([{ flag: 'read', messages: [before, after] }]);
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [person.id] }));
    granted(await owner.delete(`/users/${person.id}`));
    granted(await back(owner, person));
    expect(await unreadOf(person)).toEqual([]);
  });

  it('keeps messages unread that moved meanwhile between channels of theirs', async () => {
    const person = await server.person();
    const [from, to, elsewhere] = [
      await server.channel(owner, { subscribers: [owner, person] }),
      await server.channel(owner, { subscribers: [owner, person] }),
      await server.channel(owner),
    ];
    const say = async (topic: string) =>
      granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to: from, topic, content: 'x' })).id;
    const [kept, single, deactivatedPerson] = [await say('kept'), await say('single'), await say('gone')];
    await say('single');
    granted(await owner.delete(`/users/${person.id}`));
    const move = async (id: number, stream_id: number, propagate_mode: string) =>
      granted(await owner.patch(`/messages/${id}`, { stream_id, propagate_mode }));
    await move(kept, to, 'change_all');
    await move(single, to, 'change_one');
    await move(deactivatedPerson, elsewhere, 'change_all');
    await move(deactivatedPerson, from, 'change_all');
    granted(await back(owner, person));
    const unread = await unreadOf(person);
    expect(unread).toEqual(expect.arrayContaining([kept, single]));
    expect(unread).not.toContain(deactivatedPerson);
  });

  it('marks messages as read that moved meanwhile to a channel with protected history', async () => {
    const person = await server.person();
    const from = await server.channel(owner, { subscribers: [owner, person] });
    const protects = { invite_only: true, history_public_to_subscribers: false };
    const to = await server.channel(owner, { subscribers: [owner, person], ...protects });
    const say = async (topic: string) =>
      granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to: from, topic, content: 'x' })).id;
    const [whole, part, kept] = [await say('whole'), await say('part'), await say('kept')];
    await say('part');
    granted(await owner.delete(`/users/${person.id}`));
    const quietly = { send_notification_to_new_thread: false };
    granted(await owner.patch(`/messages/${whole}`, { stream_id: to, propagate_mode: 'change_all', ...quietly }));
    granted(await owner.patch(`/messages/${part}`, { stream_id: to, topic: 'elsewhere', ...quietly }));
    granted(await back(owner, person));
    for (const id of [whole, part]) expect(await person.get(`/messages/${id}`)).toMatchObject(refused('BAD_REQUEST'));
    const unread = await unreadOf(person);
    expect(unread).toContain(kept);
    expect(unread).not.toContain(whole);
    expect(unread).not.toContain(part);
    // They stay read where the person can read them again.
    for (const id of [whole, part]) {
      granted(await owner.patch(`/messages/${id}`, { stream_id: from, propagate_mode: 'change_all', ...quietly }));
      expect((await person.get(`/messages/${id}`)).status).toBe(200);
    }
    expect(await unreadOf(person)).toEqual(unread);
  });

  it('changes nothing and sends nothing for an active account', async () => {
    const events = await member.receive(async () => expect(await back(owner, guest)).toMatchObject(done));
    expect(events).toEqual([]);
  });

  it('restores the former role, or the one given meanwhile; any administrator can reactivate owners', async () => {
    const second = await deactivatedPerson({ role: 'owner' });
    expect(await back(administrator, second)).toMatchObject(done);
    expect(await shown(second)).toMatchObject({ is_active: true, role: 100 });
    const other = await deactivatedPerson({ role: 'moderator' });
    granted(await owner.patch(`/users/${other.id}`, { role: 600 }));
    granted(await back(administrator, other));
    expect(await shown(other)).toMatchObject({ is_active: true, role: 600 });
    expect((await other.post('/channels/create', { name: 'x', subscribers: [] })).status).toBe(400);
    granted(await owner.delete(`/users/${second.id}`));
  });

  it('keeps name and email, which stay reserved for deactivated accounts', async () => {
    granted(await owner.patch('/realm', { require_unique_names: true }));
    const person = await deactivatedPerson({ name: 'Cordelia' });
    const twin = { email: person.email, password: 'another password', full_name: 'Somebody' };
    expect(await owner.post('/users', twin)).toMatchObject(refused('BAD_REQUEST'));
    expect(await owner.patch(`/users/${member.id}`, { full_name: 'cordelia' })).toMatchObject(refused('BAD_REQUEST'));
    granted(await owner.patch('/realm', { require_unique_names: false }));
    expect(await back(owner, person)).toMatchObject(done);
  });

  it('is allowed to administrators', async () => {
    const person = await deactivatedPerson();
    const moderator = await server.person({ role: 'moderator' });
    for (const by of [moderator, member, guest]) {
      expect(await back(by, person)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    }
    expect(await shown(person)).toMatchObject({ is_active: false });
  });

  it('refuses unknown users', async () => {
    const { user } = granted(await owner.get<{ user: { user_id: number } }>('/users/notification-bot@annals.invalid'));
    for (const id of [999_999, user.user_id]) expect(await back(owner, { id })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('does not reactivate bots, which are reactivated one by one', async () => {
    const person = await server.person();
    const bot = await server.bot(person);
    granted(await owner.delete(`/users/${person.id}`));
    granted(await back(owner, person));
    expect(await shown(bot)).toMatchObject({ is_active: false });
    const events = await person.receive(async () => expect(await back(owner, bot)).toMatchObject(done));
    const received = events.filter(({ type }) => type.startsWith('realm_'));
    expect(received).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: bot.id, is_active: true } },
      { type: 'realm_bot', op: 'add', bot: { user_id: bot.id } },
    ]);
    expect((await bot.get('/users/me')).status).toBe(200);
  });

  it('gives a bot of a deactivated owner to the user who reactivates it', async () => {
    const person = await server.person();
    const bot = await server.bot(person);
    granted(await owner.delete(`/users/${person.id}`));
    expect(await back(administrator, bot)).toMatchObject(done);
    expect(await shown(bot)).toMatchObject({ is_active: true, bot_owner_id: administrator.id });
    granted(await owner.delete(`/bots/${bot.id}`));
  });

  it('allows only owners to do so for a bot with the role of an owner', async () => {
    const person = await server.person();
    const bot = await server.bot(person);
    granted(await owner.patch(`/bots/${bot.id}`, { role: 100 }));
    granted(await administrator.delete(`/users/${person.id}`));
    expect(await back(administrator, bot)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    expect(await shown(bot)).toMatchObject({ is_active: false, bot_owner_id: person.id });
    expect(await back(owner, bot)).toMatchObject(done);
    expect(await shown(bot)).toMatchObject({ is_active: true, bot_owner_id: owner.id });
    granted(await owner.delete(`/bots/${bot.id}`));
  });

  it('requires the permission to create such bots', async () => {
    const bot = await server.bot(owner);
    granted(await owner.delete(`/bots/${bot.id}`));
    granted(await owner.patch('/realm', { can_create_bots_group: { new: groups['owners'] } }));
    expect(await back(administrator, bot)).toMatchObject(refused('BAD_REQUEST'));
    expect(await back(owner, bot)).toMatchObject(done);
    granted(await owner.patch('/realm', { can_create_bots_group: { new: groups['members'] } }));
  });
});
