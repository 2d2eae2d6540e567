import { crowd } from '../../../libs/users/src/spec-support/crowd';
import { granted } from '../../support/server/caller';
import { groupSeen, makeGroup, refused, systemGroups } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let ben: Person;
let guest: Person;
let left: Person;
let system: Readonly<Record<string, number>>;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person();
  ben = await server.person();
  guest = await server.person({ role: 'guest' });
  left = await server.person();
  granted(await owner.delete(`/users/${left.id}`));
  system = await systemGroups(owner);
});
afterAll(() => server.close());

const members = (by: Person, id: number, input: Record<string, unknown>) =>
  by.post(`/user_groups/${id}/members`, input);
const subgroups = (by: Person, id: number, input: Record<string, unknown>) =>
  by.post(`/user_groups/${id}/subgroups`, input);
const only = (...people: Person[]) => ({ direct_members: people.map(({ id }) => id), direct_subgroups: [] });

describe('POST /user_groups/{id}/members', () => {
  it('adds and removes users and groups', async () => {
    const [id, part] = [await makeGroup(ann), await makeGroup(ann)];
    const { status, body } = await members(ann, id, { add: [ben.id, guest.id, ben.id], add_subgroups: [part] });
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    expect(await groupSeen(ann, id)).toMatchObject({ members: [ben.id, guest.id], direct_subgroup_ids: [part] });
    granted(await members(ann, id, { add: [ann.id], delete: [ben.id], delete_subgroups: [part] }));
    expect(await groupSeen(ann, id)).toMatchObject({ members: [ann.id, guest.id], direct_subgroup_ids: [] });
  });

  it('adds before it removes', async () => {
    const [id, part] = [await makeGroup(ann), await makeGroup(ann)];
    const both = { add: [ben.id], delete: [ben.id], add_subgroups: [part], delete_subgroups: [part] };
    granted(await members(ann, id, both));
    expect(await groupSeen(ann, id)).toMatchObject({ members: [], direct_subgroup_ids: [] });
  });

  it('checks the permissions to add and to join, and refuses guests', async () => {
    const id = await makeGroup(ann, { can_add_members_group: only(ann), can_manage_group: system['nobody'] });
    expect(await members(ben, id, { add: [ben.id] })).toMatchObject(refused());
    granted(await members(ann, id, { add: [ben.id] }));
    const open = await makeGroup(owner, { can_join_group: only(ben, guest) });
    expect(await members(ben, open, { add: [ben.id, ann.id] })).toMatchObject(refused());
    expect(await members(ben, open, { add: [ann.id] })).toMatchObject(refused());
    expect(await members(ben, open, { add: [ben.id], add_subgroups: [id] })).toMatchObject(refused());
    expect(await members(guest, open, { add: [guest.id] })).toMatchObject(refused());
    granted(await members(ben, open, { add: [ben.id] }));
    expect((await groupSeen(ann, open)).members).toEqual([ben.id]);
  });

  it('checks the permissions to remove and to leave', async () => {
    const closed = { can_leave_group: system['nobody'], can_manage_group: system['nobody'] };
    const id = await makeGroup(ann, { members: [ann.id, ben.id], can_remove_members_group: only(ann), ...closed });
    expect(await members(ben, id, { delete: [ben.id] })).toMatchObject(refused());
    expect(await members(ben, id, { delete: [ann.id] })).toMatchObject(refused());
    granted(await members(ann, id, { delete: [ben.id] }));
    const free = await makeGroup(owner, { members: [ann.id, ben.id] });
    expect(await members(ben, free, { delete: [ben.id, ann.id] })).toMatchObject(refused());
    granted(await members(ben, free, { delete: [ben.id] }));
    expect((await groupSeen(ann, free)).members).toEqual([ann.id]);
  });

  it('grants permissions through nested groups', async () => {
    const inner = await makeGroup(owner, { members: [ben.id] });
    const outer = await makeGroup(owner, { subgroups: [inner] });
    const id = await makeGroup(owner, { can_add_members_group: outer });
    granted(await members(ben, id, { add: [ann.id] }));
    granted(await subgroups(owner, outer, { delete: [inner] }));
    expect(await members(ben, id, { add: [ben.id] })).toMatchObject(refused());
    granted(await subgroups(owner, outer, { add: [inner] }));
    granted(await members(owner, inner, { delete: [ben.id] }));
    expect(await members(ben, id, { add: [ben.id] })).toMatchObject(refused());
  });

  it('refuses invalid changes, and changes nothing', async () => {
    const [id, part] = [await makeGroup(ann, { members: [ben.id] }), await makeGroup(ann)];
    const inputs = [
      {},
      { add: [], delete: [] },
      { add: [ann.id, ben.id] },
      { add: [ann.id], delete: [guest.id] },
      { add: [999_999] },
      { add: [left.id] },
      { delete: [999_999] },
      { add: [ann.id], add_subgroups: [999_999] },
      { add: [ann.id], delete_subgroups: [part] },
      { add: [ann.id], add_subgroups: [id] },
      { add: 'ann' },
    ];
    for (const input of inputs) expect(await members(ann, id, input)).toMatchObject(refused());
    expect(await groupSeen(ann, id)).toMatchObject({ members: [ben.id], direct_subgroup_ids: [] });
    expect(await members(owner, 999_999, { add: [ann.id] })).toMatchObject(refused());
    expect(await members(owner, system['members'] ?? 0, { add: [guest.id] })).toMatchObject(refused());
  });

  it('notifies users whom another user added or removed', async () => {
    const [carl, bot] = [await server.person(), await server.bot(owner)];
    const received = async (by: Person, act: () => Promise<unknown>) =>
      (await by.receive(act, { event_types: ['message'], apply_markdown: false })).map(
        ({ message }) => (message as { content: string }).content,
      );
    const id = await makeGroup(ann, { name: 'choir', members: [ben.id] });
    const add = () => members(ann, id, { add: [ann.id, carl.id, bot.id], delete: [ben.id] });
    expect(await received(carl, add)).toEqual([expect.stringMatching(/added you to the group .*choir/)]);
    expect(await received(ben, () => members(ann, id, { add: [ben.id] }))).toHaveLength(1);
    expect(await received(ben, () => members(ann, id, { delete: [ben.id] }))).toEqual([
      expect.stringMatching(/removed you from the group .*choir/),
    ]);
    expect(await received(carl, () => members(carl, id, { delete: [carl.id] }))).toEqual([]);
  });

  it('sends no notices when more than a hundred are added at once', async () => {
    const id = await makeGroup(ann, { name: 'crowd' });
    const many = [ben.id, ...(await crowd(server.kernel, 100))];
    const events = await ben.receive(() => members(ann, id, { add: many }), 'message');
    expect(events).toEqual([]);
    expect((await groupSeen(ann, id)).members).toHaveLength(101);
  });

  it('keeps deactivated users as members, but hides them', async () => {
    const carl = await server.person();
    const id = await makeGroup(ann, { members: [ben.id, carl.id] });
    granted(await owner.delete(`/users/${carl.id}`));
    expect((await groupSeen(ann, id)).members).toEqual([ben.id]);
    expect(await members(ann, id, { delete: [carl.id] })).toMatchObject(refused());
  });
});

describe('POST /user_groups/{id}/subgroups', () => {
  it('adds, then removes groups', async () => {
    const [id, a, b] = [await makeGroup(ann), await makeGroup(ann), await makeGroup(ann)];
    const moderators = system['moderators'];
    const { status, body } = await subgroups(ann, id, { add: [b, a, moderators, a] });
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    expect((await groupSeen(ann, id)).direct_subgroup_ids).toEqual([moderators, a, b]);
    granted(await subgroups(ann, id, { delete: [a, moderators] }));
    granted(await subgroups(ann, id, { add: [a], delete: [a] }));
    expect((await groupSeen(ann, id)).direct_subgroup_ids).toEqual([b]);
  });

  it('lets users who may add members add groups, and only managers remove groups', async () => {
    const part = await makeGroup(ann);
    const settings = { can_add_members_group: system['members'], can_remove_members_group: system['members'] };
    const id = await makeGroup(ann, settings);
    expect(await subgroups(guest, id, { add: [part] })).toMatchObject(refused());
    granted(await subgroups(ben, id, { add: [part] }));
    expect(await subgroups(ben, id, { delete: [part] })).toMatchObject(refused());
    granted(await members(ben, id, { delete_subgroups: [part] }));
    granted(await subgroups(owner, id, { add: [part] }));
    granted(await subgroups(ann, id, { delete: [part] }));
    const closed = await makeGroup(ann);
    expect(await subgroups(ben, closed, { add: [part] })).toMatchObject(refused());
    granted(await subgroups(await server.bot(owner), await makeGroup(owner, settings), { add: [part] }));
  });

  it('refuses cycles, repeated additions and removals, and deactivated groups', async () => {
    const [a, b, c] = [await makeGroup(ann), await makeGroup(ann), await makeGroup(ann)];
    granted(await subgroups(ann, a, { add: [b] }));
    granted(await subgroups(ann, b, { add: [c] }));
    expect(await subgroups(ann, a, { add: [a] })).toMatchObject(refused());
    expect(await subgroups(ann, c, { add: [a] })).toMatchObject(refused());
    expect(await subgroups(ann, a, { add: [c, b] })).toMatchObject(refused());
    expect(await subgroups(ann, a, { delete: [c] })).toMatchObject(refused());
    expect(await subgroups(ann, a, { add: [999_999] })).toMatchObject(refused());
    for (const name of ['nobody', 'internet']) {
      expect(await subgroups(ann, a, { add: [system[name]] })).toMatchObject(refused());
    }
    expect(await subgroups(ann, a, {})).toMatchObject(refused());
    expect(await subgroups(owner, system['members'] ?? 0, { add: [a] })).toMatchObject(refused());
    expect(await subgroups(owner, 999_999, { add: [a] })).toMatchObject(refused());
    const ended = await makeGroup(ann);
    granted(await ann.post(`/user_groups/${ended}/deactivate`));
    expect(await subgroups(ann, a, { add: [ended] })).toMatchObject(refused());
    granted(await subgroups(ann, ended, { add: [c] }));
    expect((await groupSeen(ann, a)).direct_subgroup_ids).toEqual([b]);
    expect((await groupSeen(ann, ended)).direct_subgroup_ids).toEqual([c]);
  });
});

describe('reading a group', () => {
  let inner: number;
  let outer: number;
  beforeAll(async () => {
    inner = await makeGroup(owner, { members: [ben.id] });
    outer = await makeGroup(owner, { members: [ann.id], subgroups: [inner, system['owners']] });
  });
  const of = async (id: number, what: string, more: Record<string, unknown> = {}, by = ann) =>
    (await by.get(`/user_groups/${id}/${what}`, more)).body;

  it('lists its members, direct ones or all', async () => {
    const all = [owner.id, ann.id, ben.id].sort((a, b) => a - b);
    expect(await of(outer, 'members')).toEqual({ result: 'success', msg: '', members: all });
    expect(await of(outer, 'members', { direct_member_only: true })).toMatchObject({ members: [ann.id] });
    expect(await of(system['moderators'] ?? 0, 'members')).toMatchObject({ members: [owner.id] });
    expect(await of(system['moderators'] ?? 0, 'members', { direct_member_only: true })).toMatchObject({ members: [] });
    expect(await of(system['everyone'] ?? 0, 'members', { direct_member_only: true })).toMatchObject({
      members: [guest.id],
    });
  });

  it('says whether a user is a member', async () => {
    const isIn = async (id: number, { id: who }: Person, more = {}) =>
      (await of(id, `members/${who}`, more))['is_user_group_member'];
    expect(await of(outer, `members/${ben.id}`)).toEqual({ result: 'success', msg: '', is_user_group_member: true });
    expect(await isIn(outer, ben, { direct_member_only: true })).toBe(false);
    expect(await isIn(inner, ben, { direct_member_only: true })).toBe(true);
    expect(await isIn(inner, ann)).toBe(false);
    expect(await isIn(outer, owner)).toBe(true);
    expect(await ann.get(`/user_groups/${outer}/members/999999`)).toMatchObject(refused());
    expect(await ann.get(`/user_groups/${outer}/members/${left.id}`)).toMatchObject(refused());
  });

  it('lists its subgroups, direct ones or all', async () => {
    const whole = await makeGroup(owner, { subgroups: [outer] });
    const all = [system['owners'], inner, outer].sort((a, b) => Number(a) - Number(b));
    expect(await of(whole, 'subgroups')).toEqual({ result: 'success', msg: '', subgroups: all });
    expect(await of(whole, 'subgroups', { direct_subgroup_only: true })).toMatchObject({ subgroups: [outer] });
    expect(await of(inner, 'subgroups')).toMatchObject({ subgroups: [] });
  });

  it('is allowed to members, for active groups', async () => {
    const ended = await makeGroup(owner);
    granted(await owner.post(`/user_groups/${ended}/deactivate`));
    for (const what of ['members', `members/${ann.id}`, 'subgroups']) {
      expect(await guest.get(`/user_groups/${outer}/${what}`)).toMatchObject(refused());
      expect(await ann.get(`/user_groups/${ended}/${what}`)).toMatchObject(refused());
      expect(await ann.get(`/user_groups/999999/${what}`)).toMatchObject(refused());
      expect(await (await server.bot(ann)).get(`/user_groups/${outer}/${what}`)).toMatchObject({ status: 200 });
    }
    expect(await ann.get(`/user_groups/${outer}/members`, { direct_member_only: 'yes' })).toMatchObject(refused());
  });
});
