import type { UserId } from '@annals/kernel/domain';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

describe('read receipts', () => {
  let users: ServerWithUsers;
  let owner: Person;
  let member: Person;
  let other: Person;
  beforeAll(async () => {
    users = await startWithUsers();
    ({ owner, member, other } = users);
    await users.server.channel(owner, { name: 'open', subscribers: [owner, member, other] });
  });
  afterAll(() => users.server.close());

  const post = async (by: Person, to: string | readonly Person[] = 'open') => {
    const place =
      typeof to === 'string' ? { type: 'channel', to, topic: 't' } : { type: 'direct', to: to.map(({ id }) => id) };
    return granted(await by.post<{ id: number }>('/messages', { ...place, content: 'x', read_by_sender: true })).id;
  };
  const receipts = (by: Person, id: number) => by.get<{ user_ids: UserId[] }>(`/messages/${id}/read_receipts`);
  const readers = async (by: Person, id: number) => granted(await receipts(by, id)).user_ids;
  const refused = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });

  it('name the users who have read a message, without its sender', async () => {
    const id = await post(owner);
    expect(await readers(owner, id)).toEqual([]);
    granted(await other.delete('/users/me/subscriptions', { subscriptions: ['open'] }));
    expect(await readers(member, id)).toEqual([other.id]);
    granted(await other.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }] }));
    expect(await readers(owner, id)).toEqual([other.id]);
  });

  it('name users of a conversation', async () => {
    const id = await post(owner, [member, other]);
    expect(await readers(member, id)).toEqual([]);
    granted(await member.post(`/users/me/muted_users/${owner.id}`));
    expect(await readers(other, id)).toEqual([member.id]);
    granted(await member.delete(`/users/me/muted_users/${owner.id}`));
  });

  it('leave out users whom the reader of the list muted, and users who muted them', async () => {
    const id = await post(other);
    granted(await member.post(`/users/me/muted_users/${other.id}`));
    expect(await readers(owner, id)).toEqual([member.id]);
    expect(await readers(other, id)).toEqual([]);
    granted(await member.delete(`/users/me/muted_users/${other.id}`));
    expect(await readers(other, id)).toEqual([member.id]);
    granted(await owner.post(`/users/me/muted_users/${member.id}`));
    expect(await readers(owner, id)).toEqual([]);
    granted(await owner.delete(`/users/me/muted_users/${member.id}`));
  });

  it('leave out deactivated users and those who do not send them', async () => {
    const leaver = await users.server.person({ name: 'Lea' });
    granted(await leaver.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }] }));
    granted(await leaver.post(`/users/me/muted_users/${member.id}`));
    const id = await post(member);
    expect(await readers(owner, id)).toEqual([leaver.id]);
    granted(await leaver.patch('/settings', { send_read_receipts: false }));
    expect(await readers(owner, id)).toEqual([]);
    granted(await leaver.patch('/settings', { send_read_receipts: true }));
    expect(await readers(owner, id)).toEqual([leaver.id]);
    granted(await owner.delete(`/users/${leaver.id}`));
    expect(await readers(owner, id)).toEqual([]);
  });

  it('include bots', async () => {
    const bot = await users.server.bot(owner, { name: 'Reporter' });
    granted(await bot.post(`/users/me/muted_users/${owner.id}`));
    expect(await readers(member, await post(owner, [bot, member]))).toEqual([bot.id]);
  });

  it('are for users who can see the message, in organizations that have them', async () => {
    const hidden = await post(owner, [member]);
    expect(await receipts(other, hidden)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    const id = await post(owner);
    granted(await owner.patch('/realm', { enable_read_receipts: false }));
    expect(await receipts(member, id)).toMatchObject(refused('Read receipts are disabled in this organization.'));
    const { body } = await receipts(other, hidden);
    expect(body.msg).not.toContain('Read receipts');
    granted(await owner.patch('/realm', { enable_read_receipts: true }));
    expect(await readers(member, id)).toEqual([]);
  });
});
