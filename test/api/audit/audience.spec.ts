import { granted } from '../../support/server/caller';
import { withoutDefaultChannels } from '../../support/requests/channels';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

interface Audience {
  readonly readers: readonly { readonly user_id: number; readonly because: string }[];
  readonly as_of_position: number;
}

let users: ServerWithUsers;
beforeAll(async () => {
  users = await startWithUsers();
  await withoutDefaultChannels(users.owner);
});
afterAll(() => users.server.close());

const audience = async (id: number, as_of?: string | number) => {
  const { readers, as_of_position } = granted(
    await users.owner.get<Audience>(`/audit/messages/${id}/audience`, { as_of }),
  );
  return { readers: Object.fromEntries(readers.map(({ user_id, because }) => [user_id, because])), as_of_position };
};
const readers = async (id: number, as_of?: string | number) => (await audience(id, as_of)).readers;
const send = async (by: Person, to: string, content = 'x') =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic: 't', content })).id;
const head = async () => Math.max(...(await users.server.kernel.events.heads()).values());

describe('the users who could read a message', () => {
  it('of a public channel: subscribers, those who came later, and everybody else but guests', async () => {
    const { owner, member, other, administrator, guest, server } = users;
    await server.channel(owner, { name: 'open', subscribers: [owner, member] });
    const id = await send(owner, 'open');
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }], principals: [guest.id] }));
    expect(await readers(id)).toEqual({
      [owner.id]: 'subscriber',
      [member.id]: 'subscriber',
      [other.id]: 'public',
      [administrator.id]: 'public',
      [guest.id]: 'history',
    });
    expect((await readers(id, `p${id}`))[guest.id]).toBeUndefined();
    expect(await readers(id, `p${id - 1}`)).toEqual({});
  });

  it('of a channel with protected history: those who were there, and whom it mentioned', async () => {
    const { owner, member, other, guest, server } = users;
    const channel = await server.channel(owner, { name: 'turned', subscribers: [owner] });
    const id = await send(owner, 'turned', '@**Otto**');
    granted(await owner.patch(`/streams/${channel}`, { is_private: true, history_public_to_subscribers: false }));
    expect(await readers(id)).toEqual({ [owner.id]: 'subscriber' });
    const principals = [member.id, other.id, guest.id];
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'turned' }], principals }));
    expect(await readers(id)).toEqual({ [owner.id]: 'subscriber', [other.id]: 'mention' });
  });

  it('of a private channel that a group may read: the group at that time', async () => {
    const { owner, member, administrator, server } = users;
    const channel = await server.channel(owner, {
      name: 'grouped',
      subscribers: [owner],
      invite_only: true,
      history_public_to_subscribers: true,
    });
    const id = await send(owner, 'grouped');
    const before = await head();
    const named = { direct_members: [member.id], direct_subgroups: [] };
    granted(await owner.patch(`/streams/${channel}`, { can_subscribe_group: { new: named } }));
    expect(await readers(id)).toEqual({ [owner.id]: 'subscriber', [member.id]: 'group' });
    expect(await readers(id, before)).toEqual({ [owner.id]: 'subscriber' });
    expect((await readers(id))[administrator.id]).toBeUndefined();
  });

  it('of a conversation: its participants, while they are active', async () => {
    const { owner, member, server } = users;
    const leaver = await server.person({ name: 'Leo' });
    const { id } = granted(
      await member.post<{ id: number }>('/messages', { type: 'direct', to: [leaver.id], content: 'x' }),
    );
    const before = await head();
    granted(await owner.delete(`/users/${leaver.id}`));
    expect(await readers(id)).toEqual({ [member.id]: 'direct' });
    expect(await readers(id, before)).toEqual({ [member.id]: 'direct', [leaver.id]: 'direct' });
  });

  it('follows the message where it is moved, and ends with its deletion', async () => {
    const { owner, member, other, server } = users;
    await server.channel(owner, { name: 'from', subscribers: [owner, member], invite_only: true });
    const to = await server.channel(owner, { name: 'into', subscribers: [owner, other], invite_only: true });
    const id = await send(owner, 'from');
    expect(await readers(id)).toEqual({ [owner.id]: 'subscriber', [member.id]: 'subscriber' });
    granted(await owner.patch(`/messages/${id}`, { stream_id: to, propagate_mode: 'change_all' }));
    expect(await readers(id)).toEqual({ [owner.id]: 'subscriber', [other.id]: 'subscriber' });
    expect(await audience(id, id)).toEqual({
      readers: { [owner.id]: 'subscriber', [member.id]: 'subscriber' },
      as_of_position: id,
    });
    granted(await owner.delete(`/messages/${id}`));
    expect(await readers(id)).toEqual({});
  });

  it('is refused for moments and messages that are none, and to others than auditors', async () => {
    const { owner, member } = users;
    const id = await send(owner, 'open');
    const path = `/audit/messages/${id}/audience`;
    expect(await owner.get(path, { as_of: 'p999999' })).toMatchObject({ status: 400, body: { code: 'BAD_MOMENT' } });
    expect(await owner.get('/audit/messages/999999/audience')).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'No such message: 999999' },
    });
    expect(await member.get(path)).toMatchObject({ status: 403, body: { code: 'UNAUTHORIZED_AUDIT' } });
  });
});
