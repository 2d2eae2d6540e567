import { Eraser } from '@annals/kernel';
import { DAY_MS } from '@annals/kernel/domain';
import { granted } from '../../support/server/caller';
import { copiesOf } from '../../support/laws/copies';
import { noOrphanedMessages } from '../../support/requests/orphaned-messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let fields = 0;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person({ name: 'Watching' });
});
afterAll(() => server.close());

const done = { status: 200, body: { result: 'success', msg: '' } };
const end = (person: Pick<Person, 'id'>, actions: Record<string, boolean>, by = owner) =>
  by.delete(`/users/${person.id}`, { actions });
const shown = async ({ id }: Pick<Person, 'id'>, by: Person = member) =>
  granted(await by.get<{ user: Record<string, unknown> }>(`/users/${id}`)).user;
const say = async (by: Person, to: number, content: string, topic = 'news') =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic, content })).id;
const sendTo = async (by: Person, to: Person, content: string) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'direct', to: [to.id], content })).id;
const profileField = async () =>
  granted(await owner.post<{ id: number }>('/realm/profile_fields', { field_type: 1, name: `Field ${++fields}` })).id;
const isThere = async (id: number, by = owner) => (await by.get(`/messages/${id}`)).status === 200;
/** Resolves when a worker has nothing left to delete. */
async function deleted(): Promise<void> {
  await noOrphanedMessages(server.kernel);
  await server.translated();
}
async function erased(): Promise<void> {
  await server.settled();
  await new Eraser(server.kernel, 0).sweep();
  await server.settled();
}

describe('DELETE /users/{user_id} with delete_profile', () => {
  it('shows a deleted user in every place', async () => {
    const person = await server.person({ name: 'Ophelia Forgotten' });
    const channel = await server.channel(owner, { subscribers: [owner, member, person] });
    const id = await say(person, channel, 'I was here');
    const [bio, motto] = [await profileField(), await profileField()];
    const data = [bio, motto].map((field) => ({ id: field, value: 'I paint' }));
    granted(await person.patch('/users/me/profile_data', { data }));
    granted(await person.delete('/users/me/profile_data', { data: [motto] }));
    const events = await member.receive(
      async () => expect(await end(person, { delete_profile: true })).toMatchObject(done),
      'realm_user',
    );
    const placeholder = `user${person.id}@127.0.0.1`;
    expect(events.map(({ person: received }) => received)).toMatchObject([
      { user_id: person.id, is_active: false },
      { user_id: person.id, full_name: 'Deleted user' },
      { user_id: person.id, delivery_email: null },
      { user_id: person.id, new_email: expect.stringMatching(/^user\d+@/) as string },
      { user_id: person.id, avatar_source: 'G' },
      { user_id: person.id, timezone: '' },
      { user_id: person.id, is_deleted: true },
      { user_id: person.id, custom_profile_field: { id: bio, value: null } },
    ]);
    for (const by of [member, owner]) {
      const user = await shown(person, by);
      expect(user).toMatchObject({
        full_name: 'Deleted user',
        delivery_email: null,
        is_deleted: true,
        is_active: false,
      });
      expect(String(user['email']).split('@')[0]).toBe(placeholder.split('@')[0]);
    }
    const { realm_non_active_users: deactivated } = granted(
      await member.post<{ realm_non_active_users: { user_id: number }[] }>('/register'),
    );
    expect(deactivated.find(({ user_id }) => user_id === person.id)).toMatchObject({
      full_name: 'Deleted user',
      is_deleted: true,
    });
    const { message } = granted(await member.get<{ message: object }>(`/messages/${id}`));
    expect(message).toMatchObject({ sender_full_name: 'Deleted user', content: '<p>I was here</p>' });
    expect(JSON.stringify(message)).not.toContain(person.email);
  });

  it('ends key and password at once, and frees the email', async () => {
    const person = await server.person({ name: 'Somebody Else' });
    granted(await end(person, { delete_profile: true }));
    expect(await person.get('/users/me')).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    const login = { username: person.email, password: person.password };
    expect(await server.anonymous.post('/fetch_api_key', login)).toMatchObject({
      body: { code: 'AUTHENTICATION_FAILED' },
    });
    const { rows } = await server.kernel.database.pool.query<{ id: string }>('SELECT id FROM secrets');
    expect(rows.map(({ id }) => id)).not.toContain(`password-${person.id}`);
    const again = { email: person.email, full_name: 'Another', password: 'a new beginning' };
    expect((await owner.post('/users', again)).status).toBe(200);
  });

  it('cannot be undone', async () => {
    const person = await server.person();
    granted(await end(person, { delete_profile: true }));
    const refused = { status: 400, body: { code: 'BAD_REQUEST', msg: 'User is deleted' } };
    expect(await owner.post(`/users/${person.id}/reactivate`)).toMatchObject(refused);
    expect(await owner.patch(`/users/${person.id}`, { full_name: 'Back Again' })).toMatchObject(refused);
    expect(await end(person, { delete_profile: true })).toMatchObject({ status: 400 });
  });

  it('deletes the bots in the same way', async () => {
    const person = await server.person();
    const bot = await server.bot(person, { name: 'Helper of nobody' });
    granted(await end(person, { delete_profile: true }));
    expect(await shown(bot)).toMatchObject({ full_name: 'Deleted user', is_deleted: true, bot_owner_id: person.id });
  });
});

describe('DELETE /users/{user_id} with messages', () => {
  it.each([
    ['delete_public_channel_messages', [false, true, true]],
    ['delete_private_channel_messages', [true, false, true]],
    ['delete_direct_messages', [true, true, false]],
  ] as const)('deletes only those for %s, with events for users who had them', async (action, left) => {
    const person = await server.person();
    const open = await server.channel(owner, { subscribers: [owner, member, person] });
    const closed = await server.channel(owner, { subscribers: [owner, member, person], invite_only: true });
    const ids = [
      await say(person, open, 'open'),
      await say(person, closed, 'closed'),
      await sendTo(person, member, 'between us'),
    ];
    const answer = await say(member, open, 'an answer');
    const events = await member.receive(async () => {
      expect(await end(person, { [action]: true })).toMatchObject(done);
      await deleted();
    }, 'delete_message');
    expect(await Promise.all(ids.map((id) => isThere(id, member)))).toEqual(left);
    expect(await isThere(answer)).toBe(true);
    expect(events.map(({ message_id }) => message_id)).toEqual(ids.filter((_, n) => !left[n]));
    expect(await shown(person)).not.toHaveProperty('is_deleted');
  });

  it('deletes many, in several batches and conversations, newest first', async () => {
    const person = await server.person();
    const channels = [
      await server.channel(owner, { subscribers: [owner, person] }),
      await server.channel(owner, { subscribers: [owner, person] }),
    ];
    const ids: number[] = [];
    for (let n = 0; n < 60; n++) {
      ids.push(...(await Promise.all(channels.map((to) => say(person, to, `message ${n}`, `topic ${n % 7}`)))));
    }
    granted(await end(person, { delete_public_channel_messages: true, delete_private_channel_messages: true }));
    await deleted();
    expect(await Promise.all(ids.map((id) => isThere(id)))).toEqual(ids.map(() => false));
    for (const channel of channels) {
      const { topics } = granted(await owner.get<{ topics: object[] }>(`/users/me/${channel}/topics`));
      expect(topics).toEqual([]);
    }
  });
});

describe('erasure', () => {
  const secrets = ['Ophelia Unforgettable', 'Ophelia Before', 'ophelia-was-here', 'what only they knew'];

  it('leaves no copy of deleted texts after the grace period, and the proof stays valid', async () => {
    const person = await server.person({ name: 'Ophelia Before' });
    granted(await owner.patch(`/users/${person.id}`, { full_name: 'Ophelia Unforgettable' }));
    const bot = await server.bot(person, { name: 'ophelia-was-here' });
    const channel = await server.channel(owner, { subscribers: [owner, member, person] });
    await say(person, channel, 'what only they knew');
    const kept = await say(member, channel, 'what others know');
    granted(await end(person, { delete_profile: true, delete_public_channel_messages: true }));
    await deleted();
    const { pool } = server.kernel.database;
    expect(await copiesOf(pool, secrets)).toEqual(secrets.map((text) => [text, ['events']]));

    await server.settled();
    await new Eraser(server.kernel, 30).sweep();
    expect(await copiesOf(pool, [person.email])).toEqual([[person.email, ['events']]]);
    server.clock.advance(30 * DAY_MS);
    await new Eraser(server.kernel, 30).sweep();
    expect(await copiesOf(pool, [...secrets, person.email])).toEqual([]);
    await server.settled();
    expect((await pool.query('SELECT FROM view.erasure_orders')).rowCount).toBe(0);
    expect(await shown(bot)).toMatchObject({ full_name: 'Deleted user' });
    expect(await isThere(kept, member)).toBe(true);
    await server.ensureLaws();
  });

  it('is done once, by however many workers', async () => {
    await erased();
    const person = await server.person();
    granted(await end(person, { delete_profile: true }));
    await server.settled();
    const before = await server.kernel.events.heads();
    await Promise.all([0, 1, 2].map(() => new Eraser(server.kernel, 0).sweep()));
    await erased();
    const [realm = 0] = [...before.values()];
    const events = await server.kernel.events.page(1 as never, realm, 100);
    expect(events.map(({ type }) => type)).toEqual(['kernel.Erased']);
    expect(events[0]?.data).toMatchObject({ events: 1 });
  });

  it('of a message erases all its texts', async () => {
    const channel = await server.channel(owner, { subscribers: [owner, member] });
    const id = await say(owner, channel, 'the first wording');
    granted(await owner.patch(`/messages/${id}`, { content: 'the second wording' }));
    granted(await member.post(`/messages/${id}/reactions`, { emoji_name: 'thumbs_up' }));
    granted(await owner.delete(`/messages/${id}`));
    await erased();
    const { pool } = server.kernel.database;
    expect(await copiesOf(pool, ['the first wording', 'the second wording'])).toEqual([]);
  });
});
