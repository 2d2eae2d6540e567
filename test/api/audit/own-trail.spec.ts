import type { TrailEntry } from '../../../libs/audit/src/read/trail/trail-entry';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { newest, undone } from '../../support/requests/undo';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

describe('GET /audit/me', () => {
  let users: ServerWithUsers;
  beforeAll(async () => void (users = await startWithUsers()));
  afterAll(() => users.server.close());

  const own = async (by: Person, params: Params = {}) =>
    granted(await by.get<{ events: TrailEntry[]; next_cursor: string | null }>('/audit/me', params));
  const send = async (by: Person, content: string) =>
    granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: 'general', topic: 't', content })).id;

  it('has what the account did, with its own words', async () => {
    const id = await send(users.member, 'mine');
    const { events } = await own(users.member, { limit: 1, types: ['messages.MessageSent'] });
    expect(events).toEqual([
      expect.objectContaining({
        position: id,
        words: { content: 'mine' },
        words_state: 'shown',
        actor: { user_id: users.member.id, full_name: 'Mia', role: 400, is_bot: false },
      }),
    ]);
  });

  it('has what was done to it, and nothing of others', async () => {
    const { owner, member, other } = users;
    await send(owner, `@**Mia** is called`);
    const id = await users.server.channel(owner, { name: 'secret plans', subscribers: [owner, member, other] });
    granted(await owner.patch(`/users/${member.id}`, { role: 300 }));
    const { events } = await own(member, { limit: 3 });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['users.RoleChanged', 'channels.Subscribed']),
    );
    const subscribed = events.find(({ type }) => type === 'channels.Subscribed');
    expect(subscribed?.data).toEqual({ channelId: id, userIds: [member.id], colors: [] });
    expect(subscribed?.sentence).toBe('Owner subscribed a user, Mia and a user to #secret plans.');
    expect(subscribed?.subjects).toEqual([
      { kind: 'channel', id },
      { kind: 'user', id: member.id },
    ]);
    const all = await own(member, { limit: 1_000 });
    const ofOthers = all.events.filter(({ actor }) => actor?.user_id !== member.id);
    expect(ofOthers.map(({ type }) => type)).not.toContain('messages.MessageSent');
    expect(ofOthers.every(({ request }) => request.address === null)).toBe(true);
  });

  it('has no texts of others in what the account restored or reported', async () => {
    const { owner, member } = users;
    const restore = async (id: number) => {
      granted(await owner.delete(`/messages/${id}`));
      await undone(owner, await newest(owner, 'messages.MessagesDeleted'));
    };
    await restore(await send(owner, 'of the owner'));
    const [restoredOwn] = (await own(owner, { limit: 1, types: ['messages.MessageRestored'] })).events;
    expect(restoredOwn).toMatchObject({ words: { content: 'of the owner' }, words_state: 'shown' });
    const topic = 'their secret topic';
    const message = { type: 'channel', to: 'general', topic, content: 'their secret' };
    const { id } = granted(await member.post<{ id: number }>('/messages', message));
    await restore(id);
    const moderation_request_channel_id = await users.server.channel(owner, { name: 'moderation' });
    granted(await owner.patch('/realm', { moderation_request_channel_id }));
    granted(await owner.post(`/messages/${id}/report`, { report_type: 'spam' }));
    const types = ['messages.MessageRestored', 'messages.TopicStarted', 'messages.MessageSent'];
    const { events } = await own(owner, { from: `p${id}`, types });
    expect(events.map(({ type, words_state }) => [type, words_state])).toEqual([
      ['messages.MessageSent', 'withheld'],
      ['messages.TopicStarted', 'shown'],
      ['messages.MessageRestored', 'withheld'],
      ['messages.TopicStarted', 'withheld'],
    ]);
    expect(JSON.stringify(events)).not.toContain('their secret');
  });

  it('is there for guests, page by page, and names nobody whom they may not know', async () => {
    const { owner, guest, groups } = users;
    granted(await owner.patch('/realm', { can_access_all_users_group: { new: groups['members'] } }));
    await users.server.channel(owner, { name: 'with a guest', subscribers: [owner, guest] });
    const { events, next_cursor } = await own(guest, { limit: 1, types: ['channels.Subscribed'] });
    expect(events).toEqual([expect.objectContaining({ actor: null })]);
    expect(JSON.stringify(events)).not.toContain('Owner');
    expect(next_cursor).toMatch(/^n\d+$/);
    const oldest = await own(guest, { order: 'oldest', limit: 1 });
    expect(oldest.events[0]).toMatchObject({ type: 'users.AccountCreated', words_state: 'shown' });
  });

  it.each([[{ cursor: 'o1' }], [{ limit: 1_001 }], [{ types: ['x.*'] }], [{ from: 'never' }]])(
    'refuses %j',
    async (params) => {
      expect((await users.member.get('/audit/me', params)).status).toBe(400);
    },
  );
});
