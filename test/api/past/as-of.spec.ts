import { withoutDefaultChannels } from '../../support/requests/channels';
import type { Person } from '../../support/server/organization';
import type { Params } from '../../support/server/caller';
import { changeOwnEmail } from '../../support/mail/own-email';
import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

interface Member {
  readonly user_id: number;
  readonly full_name: string;
  readonly delivery_email: string | null;
  readonly email: string;
  readonly role: number;
  readonly is_active: boolean;
  readonly is_deleted?: boolean;
  readonly profile_data?: Readonly<Record<string, { readonly value: string }>>;
}
interface Answer {
  readonly as_of_position?: number;
  readonly members: Member[];
  readonly user: Member;
  readonly streams: { stream_id: number; name: string; first_message_id: number | null }[];
  readonly stream: { stream_id: number; name: string; subscriber_count: number };
  readonly subscribers: number[];
  readonly subscribed_channel_ids: number[];
  readonly user_groups: { id: number; name: string; members: number[] }[];
}

describe('as_of', () => {
  let users: ServerWithUsers;
  beforeAll(async () => void (users = await startWithUsers()));
  afterAll(() => users.server.close());

  /** Now, as a moment that no later event belongs to. */
  function now(): string {
    const at = new Date(users.server.clock.now()).toISOString();
    users.server.clock.advance(1_000);
    return at;
  }
  const ask = (who: Person, path: string, as_of: string, more: Params = {}) =>
    who.get<Answer & { readonly code?: string; readonly msg: string }>(path, { ...more, as_of });
  const answer = async (...asked: Parameters<typeof ask>) => granted(await ask(...asked));
  const refused = async (...asked: Parameters<typeof ask>) => {
    const { status, body } = await ask(...asked);
    return [status, body.code];
  };

  it('shows channels, their subscribers and the channels of a user as they were', async () => {
    const { server, owner, member, other } = users;
    const channel = await server.channel(owner, { name: 'plans', subscribers: [member, other] });
    const before = now();
    granted(await owner.patch(`/streams/${channel}`, { new_name: 'ideas' }));
    granted(await other.delete('/users/me/subscriptions', { subscriptions: ['ideas'] }));
    granted(await owner.delete(`/streams/${channel}`));
    const { stream, as_of_position } = await answer(member, `/streams/${channel}`, before);
    expect(stream).toMatchObject({ name: 'plans', is_archived: false, subscriber_count: 2, first_message_id: null });
    expect(as_of_position).toBeGreaterThan(0);
    const { streams } = await answer(member, '/streams', before);
    expect(streams.find(({ stream_id }) => stream_id === channel)?.name).toBe('plans');
    const { subscribers } = await answer(member, `/streams/${channel}/members`, before);
    expect(subscribers).toEqual([member.id, other.id]);
    const { subscribed_channel_ids } = await answer(member, `/users/${other.id}/channels`, before);
    expect(subscribed_channel_ids).toContain(channel);
    expect((await answer(member, `/users/${other.id}/channels`, now())).subscribed_channel_ids).not.toContain(channel);
  });

  it('leaves out channels that the viewer could not see then or cannot see today', async () => {
    const { server, owner, member, other } = users;
    const secret = await server.channel(owner, { name: 'secret', invite_only: true, subscribers: [owner, other] });
    const before = now();
    granted(
      await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [member.id] }),
    );
    const within = now();
    const seen = async (who: Person, at: string) => {
      const { streams } = await answer(who, '/streams', at);
      return streams.some(({ stream_id }) => stream_id === secret);
    };
    expect([await seen(member, before), await seen(member, within)]).toEqual([false, true]);
    expect(await refused(member, `/streams/${secret}`, before)).toEqual([400, 'BAD_REQUEST']);
    expect(await refused(member, `/streams/${secret}/members`, before)).toEqual([400, 'BAD_REQUEST']);
    granted(await member.delete('/users/me/subscriptions', { subscriptions: ['secret'] }));
    expect(await seen(member, within)).toBe(false);
    expect(await refused(member, `/streams/${secret}/members`, within)).toEqual([400, 'BAD_REQUEST']);
    expect((await answer(other, `/streams/${secret}/members`, within)).subscribers).toContain(member.id);
    expect((await answer(member, `/users/${other.id}/channels`, within)).subscribed_channel_ids).not.toContain(secret);
  });

  it('shows accounts as they were, by id and by the email of then', async () => {
    const { owner, member, server } = users;
    const changed = await server.person({ name: 'Nina' });
    const { delivery_email: email } = granted(await owner.get<Answer>(`/users/${changed.id}`)).user;
    const before = now();
    granted(await owner.patch(`/users/${changed.id}`, { full_name: 'Nora', role: 300 }));
    await changeOwnEmail(server, changed, changed.id, 'nora@example.com');
    granted(await owner.delete(`/users/${changed.id}`));
    const was = { user_id: changed.id, full_name: 'Nina', role: 400, is_active: true, delivery_email: email };
    expect((await answer(member, `/users/${changed.id}`, before)).user).toMatchObject(was);
    expect((await answer(member, `/users/${email ?? ''}`, before)).user).toMatchObject(was);
    expect(await refused(member, '/users/nora@example.com', before)).toEqual([400, 'BAD_REQUEST']);
    expect(
      (await answer(member, '/users', before)).members.find(({ user_id }) => user_id === changed.id),
    ).toMatchObject(was);
    const { members } = await answer(member, '/users', before, { user_ids: [changed.id, 99_999] });
    expect(members.map(({ full_name }) => full_name)).toEqual(['Nina']);
    expect((await answer(member, `/users/${changed.id}`, now())).user).toMatchObject({ full_name: 'Nora', role: 300 });
  });

  it('hides an email that its owner hides today, and one that they hid then', async () => {
    const { owner, member, server } = users;
    const shy = await server.person({ name: 'Shy' });
    const open = now();
    granted(await shy.patch('/settings', { email_address_visibility: 4 }));
    const hidden = now();
    const emailAt = async (who: Person, at: string) => (await answer(who, `/users/${shy.id}`, at)).user.delivery_email;
    expect([await emailAt(member, open), await emailAt(owner, open)]).toEqual([null, null]);
    expect(await emailAt(shy, open)).not.toBeNull();
    granted(await shy.patch('/settings', { email_address_visibility: 1 }));
    expect([await emailAt(member, hidden), await emailAt(member, open)]).toEqual([null, expect.any(String)]);
  });

  it('shows nothing of a deleted profile but that the account was there', async () => {
    const { owner, member, server } = users;
    const gone = await server.person({ name: 'Gone' });
    const field = { name: 'Pet', field_type: 1 };
    const { id } = granted(await owner.post<{ id: number }>('/realm/profile_fields', field));
    granted(await gone.patch('/users/me/profile_data', { data: [{ id, value: 'Rex' }] }));
    const before = now();
    const asked = { include_custom_profile_fields: true };
    const { user } = await answer(member, `/users/${gone.id}`, before, asked);
    expect(user.profile_data?.[id]?.value).toBe('Rex');
    granted(await owner.delete(`/users/${gone.id}`, { actions: { delete_profile: true } }));
    const { user: left } = await answer(member, `/users/${gone.id}`, before, asked);
    expect(left).toMatchObject({ is_deleted: true, is_active: true, delivery_email: null, profile_data: {} });
    expect(JSON.stringify(left)).not.toMatch(/Gone|Rex/);
  });

  it('shows values of a profile field that was deleted later', async () => {
    const { owner, member, other } = users;
    const { id } = granted(await owner.post<{ id: number }>('/realm/profile_fields', { name: 'Desk', field_type: 1 }));
    granted(await other.patch('/users/me/profile_data', { data: [{ id, value: '12b' }] }));
    const before = now();
    granted(await owner.delete(`/realm/profile_fields/${id}`));
    const asked = { include_custom_profile_fields: true };
    const valueAt = async (at: string) =>
      (await answer(member, `/users/${other.id}`, at, asked)).user.profile_data?.[id];
    expect((await valueAt(before))?.value).toBe('12b');
    expect(await valueAt(now())).toBeUndefined();
  });

  it('shows groups and their members as they were', async () => {
    const { owner, member, other, groups } = users;
    const made = { name: 'cooks', description: '', members: [member.id], subgroups: [groups['moderators']] };
    const { group_id } = granted(await owner.post<{ group_id: number }>('/user_groups/create', made));
    const before = now();
    granted(await owner.patch(`/user_groups/${group_id}`, { name: 'bakers' }));
    granted(await owner.post(`/user_groups/${group_id}/members`, { add: [other.id], delete: [member.id] }));
    granted(await owner.post(`/user_groups/${group_id}/subgroups`, { delete: [groups['moderators']] }));
    const { user_groups } = await answer(member, '/user_groups', before);
    expect(user_groups.find(({ id }) => id === group_id)).toMatchObject({ name: 'cooks', members: [member.id] });
    const members = async (at: string, direct_member_only: boolean) => {
      const { body } = await ask(member, `/user_groups/${group_id}/members`, at, { direct_member_only });
      return (body as unknown as { members: number[] }).members;
    };
    expect(await members(before, true)).toEqual([member.id]);
    expect(await members(before, false)).toEqual([owner.id, users.administrator.id, member.id].sort((a, b) => a - b));
    expect(await members(now(), false)).toEqual([other.id]);
    expect(await refused(member, `/user_groups/${group_id}/members`, 'p1')).toEqual([400, 'BAD_REQUEST']);
  });

  it('shows a restricted guest the users whom they could see then and can see today', async () => {
    const { server, owner, guest, member, other, groups } = users;
    const together = await server.channel(owner, { name: 'together', subscribers: [guest, member] });
    const free = now();
    granted(await owner.patch('/realm', { can_access_all_users_group: { new: groups['members'] } }));
    const restricted = now();
    const seen = async (at: string) => (await answer(guest, '/users', at)).members.map(({ user_id }) => user_id);
    expect(await seen(restricted)).toContain(member.id);
    await withoutDefaultChannels(owner);
    const stranger = await server.person({ name: 'Stranger' });
    expect(await seen(now())).not.toContain(stranger.id);
    expect(await refused(guest, `/users/${stranger.id}`, now())).toEqual([400, 'BAD_REQUEST']);
    expect(await refused(guest, `/users/${stranger.id}/channels`, now())).toEqual([400, 'BAD_REQUEST']);
    const today = granted(await guest.get<Answer>('/users')).members.map(({ user_id }) => user_id);
    expect(await seen(free)).toEqual(today.filter((id) => id !== stranger.id));
    granted(await member.delete('/users/me/subscriptions', { subscriptions: ['together'] }));
    granted(await owner.patch('/realm', { can_access_all_users_group: { new: groups['everyone'] } }));
    expect(await seen(restricted)).toContain(member.id);
    expect((await answer(guest, `/streams/${together}/members`, restricted)).subscribers).toContain(member.id);
    expect((await answer(guest, '/users', free)).members.map(({ user_id }) => user_id)).toContain(other.id);
  });

  it('has nothing before the account of the viewer existed, and for groups while it was a guest', async () => {
    const { server, owner } = users;
    const before = now();
    const late = await server.person({ name: 'Late', role: 'guest' });
    const asGuest = now();
    granted(await owner.patch(`/users/${late.id}`, { role: 400 }));
    for (const at of ['0', 'p1', before]) {
      expect(await answer(late, '/users', at)).toMatchObject({ members: [] });
      expect(await answer(late, '/streams', at)).toMatchObject({ streams: [] });
      expect(await answer(late, '/user_groups', at)).toMatchObject({ user_groups: [] });
      expect(await refused(late, `/users/${owner.id}`, at)).toEqual([400, 'BAD_REQUEST']);
      expect(await refused(late, `/users/${owner.id}/channels`, at)).toEqual([400, 'BAD_REQUEST']);
    }
    expect((await answer(late, '/users', '0')).as_of_position).toBe(0);
    expect((await answer(late, '/user_groups', asGuest)).user_groups).toEqual([]);
    expect((await answer(late, '/users', asGuest)).members.map(({ user_id }) => user_id)).toContain(late.id);
  });

  const PATHS = ['/users', '/users/1', '/streams', '/streams/1', '/streams/1/members', '/users/1/channels'];
  it.each([...PATHS, '/user_groups', '/user_groups/1/members'])('refuses no moment in GET %s', async (path) => {
    for (const as_of of ['p99999999', '2100-01-01T00:00:00Z', 'yesterday', '-1', '']) {
      expect(await refused(users.owner, path, as_of)).toEqual([400, 'BAD_MOMENT']);
    }
  });

  it('is known to answers about the present only as something that is not there', async () => {
    expect(granted(await users.member.get<Answer>('/users'))).not.toHaveProperty('as_of_position');
  });
});
