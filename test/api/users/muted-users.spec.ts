import { MutedMessages } from '@annals/users';
import { granted } from '../../support/server/caller';
import { withoutDefaultChannels } from '../../support/requests/channels';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

describe('muted users', () => {
  let users: ServerWithUsers;
  let owner: Person;
  let member: Person;
  let other: Person;
  beforeAll(async () => {
    users = await startWithUsers();
    await withoutDefaultChannels(users.owner);
    ({ owner, member, other } = users);
    await users.server.channel(owner, { name: 'open', subscribers: [owner, member, other] });
  });
  afterAll(() => users.server.close());

  const mute = (by: Person, id: number | string) => by.post(`/users/me/muted_users/${id}`);
  const unmute = (by: Person, id: number | string) => by.delete(`/users/me/muted_users/${id}`);
  const post = async (by: Person, content: string) =>
    granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: 'open', topic: 't', content })).id;
  const flagsOf = async (by: Person, id: number) => {
    const { messages } = granted(await by.get<{ messages: { flags: string[] }[] }>('/messages', { message_ids: [id] }));
    return messages[0]?.flags;
  };
  const refused = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });

  it('are in the initial state and in events, with the time of muting', async () => {
    const queue = await member.register({ event_types: ['muted_users'] });
    expect(queue['muted_users']).toEqual([]);
    granted(await mute(member, owner.id));
    granted(await mute(member, other.id));
    granted(await unmute(member, owner.id));
    const events = await member.events(queue);
    const timestamp = expect.any(Number) as number;
    const lists = [
      [{ id: owner.id, timestamp }],
      [
        { id: owner.id, timestamp },
        { id: other.id, timestamp },
      ],
      [{ id: other.id, timestamp }],
    ];
    expect(events.map(({ id: _, ...event }) => event)).toEqual(
      lists.map((muted_users) => ({ type: 'muted_users', muted_users })),
    );
    expect((await member.register({ fetch_event_types: ['muted_users'] }))['muted_users']).toEqual(lists[2]);
    granted(await unmute(member, other.id));
  });

  it('have no unread messages, even if one is sent while unread ones are looked for', async () => {
    const { app } = users.server.apis[0] as (typeof users.server.apis)[number];
    const messages = app.get(MutedMessages);
    const markRead = messages.markRead.bind(messages);
    let late = 0;
    const look = jest.spyOn(messages, 'markRead').mockImplementationOnce(async (work, sender) => {
      await markRead(work, sender);
      late = await post(owner, 'sent meanwhile');
    });
    const queue = await other.register({ event_types: ['update_message_flags'] });
    granted(await mute(other, owner.id));
    look.mockRestore();
    expect(late).toBeGreaterThan(0);
    expect(await flagsOf(other, late)).toEqual(['read']);
    expect(await other.events(queue)).toMatchObject([{ op: 'add', flag: 'read', messages: [late] }]);
    granted(await unmute(other, owner.id));
  });

  it('send messages that arrive read, until they are unmuted', async () => {
    const before = await post(owner, 'before');
    expect(await flagsOf(other, before)).toEqual([]);
    const flags = await other.register({ event_types: ['update_message_flags'] });
    granted(await mute(other, owner.id));
    expect(await other.events(flags)).toMatchObject([{ op: 'add', flag: 'read', messages: [before], all: false }]);
    const queue = await other.register({ event_types: ['message'] });
    const during = await post(owner, 'during');
    expect((await other.events(queue)).map(({ flags }) => flags)).toEqual([['read']]);
    expect([await flagsOf(other, before), await flagsOf(other, during)]).toEqual([['read'], ['read']]);
    expect(await flagsOf(member, during)).toEqual([]);
    granted(await unmute(other, owner.id));
    const after = await post(owner, 'after');
    expect([await flagsOf(other, during), await flagsOf(other, after)]).toEqual([['read'], []]);
    const { unread_msgs } = await other.register({ fetch_event_types: ['message', 'update_message_flags'] });
    expect(unread_msgs).toMatchObject({ count: 1, streams: [{ unread_message_ids: [after] }] });
  });

  it('are users of any kind whom the user can see, deactivated ones and bots included', async () => {
    const bot = await users.server.bot(owner, { name: 'Reporter' });
    const leaver = await users.server.person({ name: 'Lea' });
    granted(await owner.delete(`/users/${leaver.id}`));
    for (const { id } of [bot, leaver, users.guest]) {
      granted(await mute(member, id));
      granted(await unmute(member, id));
    }
    granted(await mute(bot, owner.id));
    granted(await unmute(bot, owner.id));
    granted(await mute(users.guest, owner.id));
    granted(await unmute(users.guest, owner.id));
  });

  it('are not oneself, unknown users, or those who are muted already', async () => {
    expect(await mute(member, member.id)).toMatchObject(refused('Cannot mute self'));
    expect(await mute(member, 999_999)).toMatchObject(refused('No such user'));
    expect(await unmute(member, 999_999)).toMatchObject(refused('No such user'));
    expect((await mute(member, 'x')).status).toBe(404);
    granted(await mute(member, owner.id));
    expect(await mute(member, owner.id)).toMatchObject(refused('User already muted'));
    granted(await unmute(member, owner.id));
    expect(await unmute(member, owner.id)).toMatchObject(refused('User is not muted'));
  });

  it('are not users whom a restricted guest cannot see', async () => {
    granted(await owner.patch('/realm', { can_access_all_users_group: { new: users.groups['members'] } }));
    const [guest, stranger] = [await users.server.person({ role: 'guest' }), await users.server.person()];
    expect(await mute(guest, stranger.id)).toMatchObject(refused('No such user'));
    granted(await owner.patch('/realm', { can_access_all_users_group: { new: users.groups['everyone'] } }));
  });

  it('need a login', async () => {
    const stranger = users.server.as({ email: 'x', key: 'y' });
    expect((await stranger.post(`/users/me/muted_users/${owner.id}`)).status).toBe(401);
  });
});
