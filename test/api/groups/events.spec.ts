import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { groupSeen, makeGroup, systemGroups } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let ben: Person;
let guest: Person;
let system: Readonly<Record<string, number>>;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person();
  ben = await server.person();
  guest = await server.person({ role: 'guest' });
  system = await systemGroups(owner);
});
afterAll(() => server.close());

const KNOWS = { client_capabilities: { include_deactivated_groups: true } };

/** A user's group events during an act, without ids. */
async function received(by: Person, act: () => Promise<unknown>, more: Params = {}): Promise<object[]> {
  const events = await by.receive(act, { event_types: ['user_group'], ...more });
  return events.map(({ id: _, type: __, ...event }) => event);
}
const change = (id: number, input: Params) => async () => granted(await owner.patch(`/user_groups/${id}`, input));
const post =
  (id: number, what: string, input: Params = {}) =>
  async () =>
    granted(await owner.post(`/user_groups/${id}/${what}`, input));

describe('client events of groups', () => {
  it('a new group is sent to all with its members, then its subgroups', async () => {
    const part = await makeGroup(owner);
    for (const somebody of [ann, guest, await server.bot(ann)]) {
      let id = 0;
      const events = await received(somebody, async () => {
        id = await makeGroup(owner, { members: [ben.id, ann.id], subgroups: [part] });
      });
      const group = { ...(await groupSeen(owner, id)), direct_subgroup_ids: [] };
      expect(events).toEqual([
        { op: 'add', group },
        { op: 'add_subgroups', group_id: id, direct_subgroup_ids: [part] },
      ]);
    }
  });

  it('each changed property is a separate event', async () => {
    const id = await makeGroup(owner);
    const input = {
      name: 'renamed',
      description: 'described',
      can_join_group: { new: { direct_members: [ben.id, ann.id], direct_subgroups: [] } },
      can_leave_group: { new: system['everyone'] },
    };
    const update = (data: object) => ({ op: 'update', group_id: id, data });
    expect(await received(guest, change(id, input))).toEqual([
      update({ name: 'renamed' }),
      update({ description: 'described' }),
      update({ can_join_group: { direct_members: [ann.id, ben.id], direct_subgroups: [] } }),
    ]);
    expect(await received(guest, change(id, input))).toEqual([]);
  });

  it('members and subgroups are added, then removed', async () => {
    const [id, a, b] = [await makeGroup(owner, { members: [ben.id] }), await makeGroup(owner), await makeGroup(owner)];
    granted(await owner.post(`/user_groups/${id}/subgroups`, { add: [b] }));
    const input = { add: [ann.id, guest.id], delete: [ben.id], add_subgroups: [a], delete_subgroups: [b] };
    expect(await received(ann, post(id, 'members', input))).toEqual([
      { op: 'add_members', group_id: id, user_ids: [ann.id, guest.id] },
      { op: 'add_subgroups', group_id: id, direct_subgroup_ids: [a] },
      { op: 'remove_members', group_id: id, user_ids: [ben.id] },
      { op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [b] },
    ]);
  });

  it('a deactivated user is removed from groups', async () => {
    const carl = await server.person();
    const id = await makeGroup(owner, { members: [carl.id] });
    const events = await received(ann, async () => granted(await owner.delete(`/users/${carl.id}`)));
    expect(events).toContainEqual({ op: 'remove_members', group_id: id, user_ids: [carl.id] });
  });

  it('a refused request sends no event', async () => {
    const id = await makeGroup(owner, { members: [ben.id] });
    const act = () => owner.post(`/user_groups/${id}/members`, { add: [ann.id], delete: [guest.id] });
    expect(await received(ann, act)).toEqual([]);
  });
});

describe('client events of deactivated groups', () => {
  it('clients with the capability receive the deactivation', async () => {
    const id = await makeGroup(owner);
    const update = (data: object) => ({ op: 'update', group_id: id, data });
    expect(await received(ann, post(id, 'deactivate'), KNOWS)).toEqual([update({ deactivated: true })]);
    expect(await received(ann, change(id, { name: 'known' }), KNOWS)).toEqual([update({ name: 'known' })]);
    expect(await received(ann, change(id, { deactivated: false, name: 'anew' }), KNOWS)).toEqual([
      update({ deactivated: false }),
      update({ name: 'anew' }),
    ]);
  });

  it('other clients receive a removal, no renames, and the whole group on reactivation', async () => {
    const part = await makeGroup(owner);
    const id = await makeGroup(owner, { members: [ben.id], subgroups: [part] });
    expect(await received(ann, post(id, 'deactivate'))).toEqual([{ op: 'remove', group_id: id }]);
    expect(await received(ann, change(id, { name: 'unheard' }))).toEqual([]);
    granted(await owner.post(`/user_groups/${id}/members`, { add: [ann.id] }));
    const begun = await received(ann, change(id, { deactivated: false }));
    const group = await groupSeen(owner, id);
    expect(group).toMatchObject({ name: 'unheard', members: [ann.id, ben.id], direct_subgroup_ids: [part] });
    expect(begun).toEqual([{ op: 'add', group }]);
    expect(await received(ann, change(id, { deactivated: false }))).toEqual([]);
  });

  it('POST /register includes them for clients with the capability', async () => {
    const id = await makeGroup(owner);
    granted(await owner.post(`/user_groups/${id}/deactivate`));
    const state = async (more: Params) =>
      (await ann.register({ fetch_event_types: ['realm_user_groups'], ...more }))['realm_user_groups'];
    expect(await state(KNOWS)).toContainEqual(expect.objectContaining({ id, deactivated: true }));
    expect(await state({})).not.toContainEqual(expect.objectContaining({ id }));
  });
});

describe('private channels that are visible through groups', () => {
  const sight = async (by: Person, act: () => Promise<unknown>) => {
    const events = await by.receive(act, { event_types: ['stream', 'subscription', 'user_group'] });
    return events.map((event) => {
      const streams = (event['streams'] ?? []) as { stream_id: number }[];
      const ids = (event['stream_ids'] as number[] | undefined) ?? streams.map(({ stream_id }) => stream_id);
      return event.type === 'user_group' ? `group ${event.op}` : `${event.type} ${event.op} ${ids.join()}`;
    });
  };

  it.each(['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'])(
    'appear and disappear with membership of %s, through nested groups',
    async (setting) => {
      const inner = await makeGroup(owner);
      const outer = await makeGroup(owner, { subgroups: [inner] });
      const channel = await server.channel(owner, { invite_only: true, [setting]: outer });
      const gained = (how: string) => [`group ${how}`, `stream create ${channel}`, `subscription peer_add ${channel}`];
      const lost = (how: string) => [`group ${how}`, `stream delete ${channel}`];
      expect(await sight(ann, post(inner, 'members', { add: [ann.id, guest.id] }))).toEqual(gained('add_members'));
      expect(await sight(ann, post(outer, 'subgroups', { delete: [inner] }))).toEqual(lost('remove_subgroups'));
      expect(await sight(ann, post(outer, 'subgroups', { add: [inner] }))).toEqual(gained('add_subgroups'));
      expect(await sight(ann, post(outer, 'members', { add: [ann.id] }))).toEqual(['group add_members']);
      expect(await sight(ann, post(inner, 'members', { delete: [ann.id] }))).toEqual(['group remove_members']);
      expect(await sight(ann, post(outer, 'members', { delete: [ann.id] }))).toEqual(lost('remove_members'));
      expect(await sight(guest, post(outer, 'subgroups', { delete: [inner] }))).toEqual(['group remove_subgroups']);
    },
  );

  it('stay visible to subscribers and administrators of the organization', async () => {
    const group = await makeGroup(owner);
    await server.channel(owner, { invite_only: true, can_subscribe_group: group, subscribers: [owner, ann] });
    const enter = post(group, 'members', { add: [ann.id, owner.id] });
    expect(await sight(ann, enter)).toEqual(['group add_members']);
    expect(await sight(owner, post(group, 'members', { delete: [ann.id, owner.id] }))).toEqual([
      'group remove_members',
    ]);
  });

  it('send events to users who were in the group at that position', async () => {
    const group = await makeGroup(owner, { members: [ann.id] });
    const events = await ann.receive(
      async () => {
        await server.channel(owner, { name: 'for the group', invite_only: true, can_subscribe_group: group });
        granted(await owner.post(`/user_groups/${group}/members`, { delete: [ann.id] }));
        await server.channel(owner, { name: 'not for ann', invite_only: true, can_subscribe_group: group });
      },
      { event_types: ['stream'] },
    );
    expect(events.map(({ op }) => op)).toEqual(['create', 'delete']);
  });
});
