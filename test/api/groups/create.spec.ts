import { granted } from '../../support/server/caller';
import { groupSeen, groupsSeen, makeGroup, refused, systemGroups } from '../../support/requests/groups';
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

const create = (by: Person, input: Record<string, unknown>) =>
  by.post('/user_groups/create', { name: 'never made', description: '', members: [], ...input });

describe('POST /user_groups/create', () => {
  it('answers only the id of the new group', async () => {
    const { status, body } = await create(ann, { name: 'first' });
    expect({ status, body }).toEqual({
      status: 200,
      body: { result: 'success', msg: '', group_id: expect.any(Number) as number },
    });
  });

  it('creates a group that its creator manages', async () => {
    const id = await makeGroup(ann, { name: '  bakers ', description: 'who bake', members: [ben.id, ann.id, ben.id] });
    const creator = { direct_members: [ann.id], direct_subgroups: [] };
    expect(await groupSeen(ben, id)).toEqual({
      id,
      name: 'bakers',
      description: 'who bake',
      date_created: Date.UTC(2026, 0, 1) / 1000,
      creator_id: ann.id,
      members: [ann.id, ben.id],
      direct_subgroup_ids: [],
      is_system_group: false,
      deactivated: false,
      can_add_members_group: creator,
      can_join_group: system['nobody'],
      can_leave_group: system['everyone'],
      can_manage_group: creator,
      can_mention_group: system['everyone'],
      can_remove_members_group: system['nobody'],
    });
  });

  it('honours settings, in their normal form', async () => {
    const group = await makeGroup(ann);
    const id = await makeGroup(ann, {
      subgroups: [group, system['moderators'], group],
      can_join_group: { direct_members: [ben.id, ann.id], direct_subgroups: [group] },
      can_leave_group: { direct_members: [], direct_subgroups: [] },
      can_manage_group: { direct_members: [], direct_subgroups: [group] },
      can_mention_group: null,
      can_remove_members_group: system['administrators'],
    });
    expect(await groupSeen(ann, id)).toMatchObject({
      direct_subgroup_ids: [system['moderators'], group],
      can_join_group: { direct_members: [ann.id, ben.id], direct_subgroups: [group] },
      can_leave_group: system['nobody'],
      can_manage_group: group,
      can_mention_group: system['everyone'],
      can_remove_members_group: system['administrators'],
    });
  });

  it('is allowed to members and bots as the organization says, not to guests', async () => {
    const bot = await server.bot(ann);
    expect(await groupSeen(ann, await makeGroup(bot))).toMatchObject({ creator_id: bot.id });
    expect(await create(guest, {})).toMatchObject(refused());
    granted(await owner.patch('/realm', { can_create_groups: { new: system['administrators'] } }));
    expect(await create(ann, {})).toMatchObject(refused());
    expect(await makeGroup(owner)).toBeGreaterThan(0);
    granted(await owner.patch('/realm', { can_create_groups: { new: system['members'] } }));
  });

  it.each([
    ['a blank name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a name with a control character', { name: 'a\u0007b' }],
    ['a name like a mention', { name: '@bakers' }],
    ['a name like a system group’s', { name: 'role:bakers' }],
    ['a name like a person’s', { name: 'user:bakers' }],
    ['a name like a stream’s', { name: 'stream:bakers' }],
    ['a name like a channel’s', { name: 'channel:bakers' }],
    ['members that are no list', { members: 'ann' }],
    ['an unknown member', { members: [999_999] }],
    ['an unknown subgroup', { subgroups: [999_999] }],
    ['an unknown group in a setting', { can_join_group: 999_999 }],
    ['an unknown person in a setting', { can_join_group: { direct_members: [999_999], direct_subgroups: [] } }],
    ['no JSON in a setting', { can_join_group: 'members' }],
  ])('refuses %s, and creates nothing', async (_, input) => {
    expect(await create(ann, input)).toMatchObject(refused());
    expect((await groupsSeen(ann)).map(({ name }) => name)).not.toContain('never made');
  });

  it.each(['name', 'description', 'members'])('requires %s', async (name) => {
    expect(await create(ann, { [name]: undefined })).toMatchObject(refused('REQUEST_VARIABLE_MISSING'));
  });

  it('refuses deactivated users, deactivated groups and groups that a setting does not allow', async () => {
    const ended = await makeGroup(ann);
    granted(await ann.post(`/user_groups/${ended}/deactivate`));
    const inputs = [
      { members: [left.id] },
      { subgroups: [ended] },
      { can_join_group: ended },
      { can_join_group: { direct_members: [left.id], direct_subgroups: [] } },
      { can_join_group: { direct_members: [ann.id], direct_subgroups: [ended] } },
      { can_join_group: system['everyone'] },
      { can_add_members_group: system['everyone'] },
      { can_manage_group: system['everyone'] },
      { can_remove_members_group: system['everyone'] },
      { can_leave_group: system['internet'] },
      { can_mention_group: { direct_members: [ann.id], direct_subgroups: [system['internet']] } },
    ];
    for (const input of inputs) expect(await create(ann, input)).toMatchObject(refused());
    expect((await groupsSeen(ann)).map(({ name }) => name)).not.toContain('never made');
  });

  it('gives a name once, compared exactly, deactivated groups included', async () => {
    const id = await makeGroup(ann, { name: 'cooks' });
    const taken = refused('BAD_REQUEST', { msg: "User group 'cooks' already exists." });
    expect(await create(ben, { name: 'cooks' })).toMatchObject(taken);
    expect(await makeGroup(ben, { name: 'Cooks' })).toBeGreaterThan(id);
    granted(await ann.post(`/user_groups/${id}/deactivate`));
    expect(await create(ben, { name: 'cooks' })).toMatchObject(taken);
  });
});

describe('PATCH /user_groups/{id}', () => {
  const change = (by: Person, id: number, input: Record<string, unknown>) => by.patch(`/user_groups/${id}`, input);

  it('changes name, description and settings', async () => {
    const id = await makeGroup(ann, { name: 'before' });
    const input = { name: 'after', description: 'new', can_join_group: { new: system['members'] } };
    expect((await change(ann, id, input)).body).toEqual({ result: 'success', msg: '' });
    expect(await groupSeen(ann, id)).toMatchObject({
      name: 'after',
      description: 'new',
      can_join_group: system['members'],
    });
    granted(await change(ann, id, { name: 'after' }));
    expect(await makeGroup(ben, { name: 'before' })).toBeGreaterThan(id);
  });

  it('is allowed to managers of the group or of all groups', async () => {
    const id = await makeGroup(ann);
    const input = { description: 'changed' };
    expect(await change(ben, id, input)).toMatchObject(refused());
    expect(await change(guest, id, input)).toMatchObject(refused());
    granted(await change(owner, id, input));
    granted(await change(ann, id, { can_manage_group: { new: system['members'] } }));
    granted(await change(ben, id, input));
    expect(await change(guest, id, input)).toMatchObject(refused());
    granted(await owner.patch('/realm', { can_manage_all_groups: { new: system['administrators'] } }));
    const administrator = await server.person({ role: 'administrator' });
    const other = await makeGroup(ann);
    granted(await change(administrator, other, input));
    granted(await owner.patch('/realm', { can_manage_all_groups: { new: system['owners'] } }));
    expect(await change(administrator, other, input)).toMatchObject(refused());
  });

  it('compares the expected old value with the setting as it is shown', async () => {
    const deactivated = await server.person();
    const value = { direct_members: [ann.id, deactivated.id], direct_subgroups: [] };
    const id = await makeGroup(ann, { can_join_group: value });
    const to = (old: unknown, input: unknown = system['members']) =>
      change(ann, id, { can_join_group: { new: input, old } });
    expect(await to(system['nobody'])).toMatchObject(refused('EXPECTATION_MISMATCH'));
    granted(await to({ direct_members: [deactivated.id, ann.id], direct_subgroups: [] }, value));
    granted(await owner.delete(`/users/${deactivated.id}`));
    const shown = { direct_members: [ann.id], direct_subgroups: [] };
    expect(await groupSeen(ann, id)).toMatchObject({ can_join_group: shown });
    expect(await to(system['nobody'])).toMatchObject(refused('EXPECTATION_MISMATCH'));
    granted(await to(shown));
    granted(await to({ direct_members: [], direct_subgroups: [system['members']] }, system['nobody']));
    expect(await groupSeen(ann, id)).toMatchObject({ can_join_group: system['nobody'] });
  });

  it.each([
    ['nothing', {}],
    ['a blank name', { name: '' }],
    ['a reserved name', { name: '@x' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a bare setting', { can_join_group: 5 }],
    ['an unknown group in a setting', { can_join_group: { new: 999_999 } }],
    ['a word for a boolean', { deactivated: 'yes' }],
  ])('refuses %s', async (_, input) => {
    const id = await makeGroup(ann);
    const before = await groupSeen(ann, id);
    expect(await change(ann, id, { ...input, ...('name' in input ? { description: 'new' } : {}) })).toMatchObject(
      refused(),
    );
    expect(await groupSeen(ann, id)).toEqual(before);
  });

  it('refuses a name in use, unknown groups and system groups', async () => {
    const id = await makeGroup(ann);
    await makeGroup(ann, { name: 'taken' });
    expect(await change(ann, id, { name: 'taken', description: 'x' })).toMatchObject(refused());
    expect(await groupSeen(ann, id)).toMatchObject({ description: '' });
    expect(await change(owner, 999_999, { description: 'x' })).toMatchObject(refused());
    for (const group of Object.values(system)) {
      expect(await change(owner, group, { description: 'x' })).toMatchObject(refused());
    }
    expect((await change(owner, id, { name: 'x' })).status).toBe(200);
    expect((await owner.patch('/user_groups/x', { name: 'y' })).status).toBe(404);
  });

  it('ignores a request to deactivate the group', async () => {
    const id = await makeGroup(ann);
    granted(await change(ann, id, { deactivated: true }));
    expect(await groupSeen(ann, id)).toMatchObject({ deactivated: false });
  });
});
