import { Role } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';
import { withoutDefaultChannels } from '../../support/requests/channels';
import type { Person } from '../../support/server/organization';
import { FIELD, newField, say } from '../../support/requests/profile-fields';

const NOTIFICATION_BOT = 'notification-bot@annals.invalid';

let users: ServerWithUsers;
let bot: Person;
beforeAll(async () => {
  users = await startWithUsers();
  await withoutDefaultChannels(users.owner);
  bot = await users.server.bot(users.member);
});
afterAll(() => users.server.close());

const restrict = async (isRestricted = true) => {
  const { owner, groups } = users;
  const value = groups[isRestricted ? 'members' : 'everyone'];
  granted(await owner.patch('/realm', { can_access_all_users_group: { new: value } }));
};
const membersSeen = async (by: Person, params: Params = {}) =>
  granted(await by.get<{ members: { user_id: number }[] }>('/users', params)).members.map(({ user_id }) => user_id);
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };

/** A guest who shares a channel with one user and a conversation with another, and nothing with a third. */
async function scene() {
  const { server, owner } = users;
  const [guest, stranger] = [await server.person({ role: 'guest' }), await server.person({ name: 'Stranger' })];
  const [peer, friend] = [await server.person({ name: 'Peer' }), await server.person({ name: 'Friend' })];
  const channel = await server.namedChannel(owner, { subscribers: [guest, peer] });
  granted(await friend.post('/messages', { type: 'direct', to: [guest.id], content: 'hello' }));
  return { guest, stranger, peer, friend, channel };
}

describe('a restricted guest', () => {
  beforeAll(() => restrict());
  afterAll(() => restrict(false));

  it('sees users in their channels and conversations, all bots and themselves', async () => {
    const { guest, stranger, peer, friend } = await scene();
    const seen = [bot.id, guest.id, peer.id, friend.id].sort((a, b) => a - b);
    expect(await membersSeen(guest)).toEqual(seen);
    expect(await membersSeen(guest, { user_ids: [stranger.id, peer.id, 999_999] })).toEqual([peer.id]);
    for (const one of [guest, peer, friend, bot]) {
      expect(await guest.get(`/users/${one.id}`)).toMatchObject({ status: 200, body: { user: { user_id: one.id } } });
      expect(await guest.get(`/users/${one.email}`)).toMatchObject({ status: 200 });
    }
    expect(await guest.get(`/users/${NOTIFICATION_BOT}`)).toMatchObject({ status: 200 });
    expect(granted(await guest.get('/users/me'))).toMatchObject({ user_id: guest.id });
  });

  it('gets the same answer for other users as for unknown ones', async () => {
    const { guest, stranger } = await scene();
    const nobody = await guest.get('/users/999999');
    expect(nobody).toMatchObject(refused);
    for (const named of [stranger.id, stranger.email, `user${stranger.id}@annals.invalid`]) {
      const { status, body } = await guest.get(`/users/${named}`);
      expect({ status, body }).toEqual({ status: 400, body: nobody.body });
    }
    const channels = await guest.get('/users/999999/channels');
    expect((await guest.get(`/users/${stranger.id}/channels`)).body).toEqual(channels.body);
    expect(channels).toMatchObject(refused);
  });

  it('cannot find others by name, whether active, deactivated or unknown', async () => {
    const { guest, stranger, channel } = await scene();
    const deactivated = await users.server.person();
    granted(await users.owner.delete(`/users/${deactivated.id}`));
    const acts: Record<string, (id: number) => Promise<{ status: number; body: object }>> = {
      unsubscribe: (id) => guest.delete('/users/me/subscriptions', { subscriptions: [channel.name], principals: [id] }),
      allow: (id) => {
        const value = { direct_members: [id], direct_subgroups: [] };
        return guest.patch(`/streams/${channel.id}`, { can_send_message_group: { new: value } });
      },
    };
    for (const [name, act] of Object.entries(acts)) {
      const answerOf = async (id: number) => JSON.stringify((await act(id)).body).replaceAll(`${id}`, 'ID');
      const answers = [await answerOf(stranger.id), await answerOf(deactivated.id), await answerOf(999_999)];
      expect([name, ...new Set(answers)]).toEqual([name, expect.stringContaining('"code":"BAD_REQUEST"')]);
    }
  });

  it('cannot use others in a profile or as the owner of a bot', async () => {
    const { server, owner } = users;
    const { guest, stranger, peer } = await scene();
    const friends = await newField(owner, FIELD.users, { name: 'Friends' });
    const { body: unknown } = await say(guest, { [friends]: [999_999] });
    const answer = await say(guest, { [friends]: [peer.id, stranger.id] });
    expect(answer).toMatchObject({ ...refused, body: { msg: unknown.msg.replace('999999', `${stranger.id}`) } });
    granted(await say(guest, { [friends]: [peer.id, guest.id] }));
    granted(await owner.patch(`/users/${guest.id}`, { role: Role.member }));
    const own = await server.bot(guest);
    granted(await owner.patch(`/users/${guest.id}`, { role: Role.guest }));
    const give = (to: number) => guest.patch(`/bots/${own.id}`, { bot_owner_id: to });
    const { status, body } = await give(stranger.id);
    expect({ status, body }).toEqual({ status: 400, body: (await give(999_999)).body });
    expect(granted(await give(peer.id))).toMatchObject({ bot_owner: peer.email });
  });

  it('hides nothing from other users', async () => {
    const { guest, stranger, peer } = await scene();
    for (const by of [peer, stranger, bot, users.owner]) {
      expect(await membersSeen(by)).toEqual(expect.arrayContaining([guest.id, stranger.id, peer.id, users.owner.id]));
      expect(await by.get(`/users/${guest.id}`)).toMatchObject({ status: 200 });
    }
  });

  it('no longer sees users who leave their channel or the organization, except in conversations', async () => {
    const { guest, peer, friend, channel } = await scene();
    const principals = [peer.id];
    granted(await users.owner.delete('/users/me/subscriptions', { subscriptions: [channel.name], principals }));
    expect(await guest.get(`/users/${peer.id}`)).toMatchObject(refused);
    granted(await users.owner.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }], principals }));
    expect(await guest.get(`/users/${peer.id}`)).toMatchObject({ status: 200 });
    for (const one of [peer, friend]) granted(await users.owner.delete(`/users/${one.id}`));
    expect(await guest.get(`/users/${peer.id}`)).toMatchObject(refused);
    expect(await guest.get(`/users/${friend.id}`)).toMatchObject({ body: { user: { is_active: false } } });
  });

  it('can receive direct messages, which show the sender and all recipients', async () => {
    const { guest, stranger } = await scene();
    const other = await users.server.person();
    granted(await stranger.post('/messages', { type: 'direct', to: [guest.id, other.id], content: 'both of you' }));
    for (const one of [stranger, other]) expect(await guest.get(`/users/${one.id}`)).toMatchObject({ status: 200 });
  });

  it('cannot send direct messages or typing notifications to others', async () => {
    const { guest, stranger, peer, friend } = await scene();
    const write = (...to: (number | string)[]) => guest.post('/messages', { type: 'direct', to, content: 'may I?' });
    const nobody = await write(999_999);
    expect(nobody).toMatchObject(refused);
    expect((await write(stranger.id)).body).toEqual(nobody.body);
    expect(await write(peer.id, stranger.id)).toMatchObject(refused);
    expect(await write(stranger.email)).toMatchObject(refused);
    for (const to of [[peer.id], [friend.id], [bot.id], [guest.id], [peer.id, friend.id]]) {
      expect(await write(...to)).toMatchObject({ status: 200 });
    }
    const type = (to: number) => guest.post('/typing', { op: 'start', type: 'direct', to: [to] });
    expect(await type(stranger.id)).toMatchObject(refused);
    expect(await type(peer.id)).toMatchObject({ status: 200 });
  });

  it('cannot mention others', async () => {
    const { guest, stranger, peer, channel } = await scene();
    const content = `@**Stranger|${stranger.id}** and @**Peer|${peer.id}**`;
    const input = { type: 'channel', to: channel.id, topic: 'names', content };
    const { id } = granted(await guest.post<{ id: number }>('/messages', input));
    const { message } = granted(await guest.get<{ message: { content: string } }>(`/messages/${id}`));
    expect(message.content).toContain(`data-user-id="${peer.id}"`);
    expect(message.content).not.toContain(`data-user-id="${stranger.id}"`);
    const own = granted(await peer.post<{ id: number }>('/messages', input));
    const mentioned = granted(await peer.get<{ message: { content: string } }>(`/messages/${own.id}`));
    expect(mentioned.message.content).toContain(`data-user-id="${stranger.id}"`);
  });

  it('reads messages of others in their channel as from an unknown user', async () => {
    const { guest, stranger, peer, channel } = await scene();
    const say = (by: Person) =>
      by.post<{ id: number }>('/messages', { type: 'channel', to: channel.id, topic: 'now', content: 'so?' });
    const ids = [granted(await say(stranger)).id, granted(await say(peer)).id];
    const params = { message_ids: ids };
    const { messages } = granted(await guest.get<{ messages: object[] }>('/messages', params));
    const unknown = {
      sender_id: stranger.id,
      sender_full_name: 'Unknown user',
      sender_email: `user${stranger.id}@annals.invalid`,
      avatar_url: expect.any(String) as string,
    };
    expect(messages).toMatchObject([unknown, { sender_id: peer.id, sender_full_name: 'Peer' }]);
    expect(granted(await guest.get(`/messages/${ids[0]}`))).toMatchObject({ message: unknown });
    const seen = granted(await peer.get<{ messages: object[] }>('/messages', params)).messages;
    expect(seen).toMatchObject([{ sender_full_name: 'Stranger' }, { sender_full_name: 'Peer' }]);
  });

  it('gets the same result for a narrow with a hidden id as with an unknown id', async () => {
    const { guest, stranger, peer, channel } = await scene();
    const asked = (operator: string, operand: unknown, negated = false) =>
      guest.get<{ messages: { content: string }[] }>('/messages', {
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
        apply_markdown: false,
        narrow: [
          { operator, operand, negated },
          ...(operator === 'sender' ? [{ operator: 'channel', operand: channel.id }] : []),
        ],
      });
    granted(await peer.post('/messages', { type: 'channel', to: channel.id, topic: 'now', content: 'here' }));
    const nobody = 999_999;
    for (const [operator, operandOf] of [
      ['sender', (id: number) => id],
      ['dm', (id: number) => [id]],
      ['dm', (id: number) => [peer.id, id]],
      ['dm-including', (id: number) => id],
    ] as const) {
      for (const negated of [false, true]) {
        const hidden = await asked(operator, operandOf(stranger.id), negated);
        const unused = await asked(operator, operandOf(nobody), negated);
        expect([hidden.status, hidden.body]).toEqual([unused.status, unused.body]);
      }
    }
    granted(await stranger.post('/messages', { type: 'channel', to: channel.id, topic: 'now', content: 'so?' }));
    expect(granted(await asked('sender', stranger.id)).messages).toMatchObject([{ content: 'so?' }]);
  });
});

describe('a restriction that started before a late delivery', () => {
  const send = async (channel: number, by: Person) =>
    granted(await by.post('/messages', { type: 'channel', to: channel, topic: 'now', content: 'so?' }));
  const leaves = async ({ name }: { readonly name: string }, person: Person) =>
    granted(await users.owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [person.id] }));
  const rename = async (person: Person, full_name: string) =>
    granted(await users.owner.patch(`/users/${person.id}`, { full_name }));

  it.each([
    ['of guests', 'guest' as const],
    ['of somebody who has become a guest', 'member' as const],
  ])('hides names that were changed since (%s)', async (_, role) => {
    const { server, owner } = users;
    await restrict(role === 'member');
    const [listener, peer] = [await server.person({ role }), await server.person({ name: 'Peer' })];
    const channel = await server.namedChannel(owner, { subscribers: [listener, peer] });
    const queue = await listener.register({ event_types: ['message'], fetch_event_types: [] });
    await send(channel.id, peer);
    await leaves(channel, peer);
    await restrict();
    granted(await owner.patch(`/users/${listener.id}`, { role: Role.guest }));
    await rename(peer, 'Somebody Else');
    const shown = { sender_id: peer.id, sender_full_name: 'Unknown user' };
    expect(await listener.events(queue)).toMatchObject([{ message: shown }]);
    await restrict(false);
  });
});

describe('the setting', () => {
  it('is allowed to administrators, with two system groups only', async () => {
    const { administrator, member, guest, groups } = users;
    const change = (by: Person, value: unknown) => by.patch('/realm', { can_access_all_users_group: { new: value } });
    for (const by of [member, guest]) {
      expect(await change(by, groups['members'])).toMatchObject({ body: { code: 'UNAUTHORIZED_PRINCIPAL' } });
    }
    for (const value of [groups['nobody'], groups['fullmembers'], 999_999]) {
      expect(await change(administrator, value)).toMatchObject({ status: 400 });
    }
    expect(await change(administrator, { direct_members: [member.id], direct_subgroups: [] })).toMatchObject({
      body: { code: 'SYSTEM_GROUP_REQUIRED' },
    });
    expect(await change(administrator, groups['members'])).toMatchObject({ status: 200 });
    expect(await change(administrator, groups['everyone'])).toMatchObject({ status: 200 });
  });

  it('hides nobody while all users may see all', async () => {
    const { guest, stranger } = await scene();
    expect(await membersSeen(guest)).toContain(stranger.id);
    expect(await guest.get(`/users/${stranger.id}`)).toMatchObject({ status: 200 });
  });
});
