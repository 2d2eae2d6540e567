import { granted } from '../../support/server/caller';
import { groupSeen, groupsSeen, makeGroup, refused, systemGroups } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let ben: Person;
let system: Readonly<Record<string, number>>;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person();
  ben = await server.person();
  system = await systemGroups(owner);
});
afterAll(() => server.close());

const end = (by: Person, id: number) => by.post(`/user_groups/${id}/deactivate`);
const begin = (by: Person, id: number) => by.patch(`/user_groups/${id}`, { deactivated: false });
const inUse = (...objections: object[]) => refused('CANNOT_DEACTIVATE_GROUP_IN_USE', { objections });
const beside = (id: number) => ({ direct_members: [ann.id], direct_subgroups: [id] });

describe('POST /user_groups/{id}/deactivate', () => {
  it('deactivates a group, which keeps its content and can be reactivated', async () => {
    const id = await makeGroup(ann, { members: [ben.id], name: 'bakers' });
    expect((await end(ann, id)).body).toEqual({ result: 'success', msg: '' });
    expect((await groupsSeen(ann, false)).map((one) => one.id)).not.toContain(id);
    expect(await groupSeen(ann, id)).toMatchObject({ deactivated: true, members: [ben.id], name: 'bakers' });
    granted(await ann.patch(`/user_groups/${id}`, { description: 'ended' }));
    granted(await ann.post(`/user_groups/${id}/members`, { add: [ann.id] }));
    granted(await begin(ann, id));
    expect((await groupsSeen(ann, false)).find((one) => one.id === id)).toMatchObject({
      deactivated: false,
      description: 'ended',
      members: [ann.id, ben.id],
    });
  });

  it('is allowed to managers of the group', async () => {
    const id = await makeGroup(ann);
    expect(await end(ben, id)).toMatchObject(refused());
    expect(await end(await server.person({ role: 'guest' }), id)).toMatchObject(refused());
    granted(await end(owner, id));
    expect(await begin(ben, id)).toMatchObject(refused());
    granted(await begin(owner, id));
  });

  it('refuses deactivated, unknown and system groups', async () => {
    const id = await makeGroup(ann);
    granted(await end(ann, id));
    expect(await end(ann, id)).toMatchObject(refused());
    expect(await end(owner, 999_999)).toMatchObject(refused());
    expect(await end(owner, system['nobody'] ?? 0)).toMatchObject(refused());
  });

  it('refuses a subgroup of active groups', async () => {
    const [id, a, b] = [await makeGroup(ann), await makeGroup(ann), await makeGroup(ann)];
    for (const into of [b, a]) granted(await ann.post(`/user_groups/${into}/subgroups`, { add: [id] }));
    expect(await end(ann, id)).toMatchObject(inUse({ type: 'subgroup', supergroup_ids: [a, b] }));
    granted(await end(ann, a));
    expect(await end(ann, id)).toMatchObject(inUse({ type: 'subgroup', supergroup_ids: [b] }));
    granted(await end(ann, b));
    granted(await end(ann, id));
  });

  it('refuses a group that settings of channels, groups or the organization use, and lists these', async () => {
    const id = await makeGroup(ann);
    const channel = await server.channel(owner, { can_subscribe_group: id, can_add_subscribers_group: beside(id) });
    const other = await makeGroup(ann, { can_leave_group: beside(id), can_join_group: id });
    granted(
      await owner.patch('/realm', {
        can_create_bots_group: { new: id },
        direct_message_initiator_group: { new: beside(id) },
      }),
    );
    const objections = [
      { type: 'channel', channel_id: channel, settings: ['can_add_subscribers_group', 'can_subscribe_group'] },
      { type: 'user_group', group_id: other, settings: ['can_join_group', 'can_leave_group'] },
      { type: 'realm', settings: ['can_create_bots_group', 'direct_message_initiator_group'] },
    ];
    expect(await end(ann, id)).toMatchObject(inUse(...objections));
    granted(
      await owner.patch('/realm', {
        can_create_bots_group: { new: system['members'] },
        direct_message_initiator_group: { new: system['everyone'] },
      }),
    );
    expect(await end(ann, id)).toMatchObject(inUse(...objections.slice(0, 2)));
    granted(await end(ann, other));
    expect(await end(ann, id)).toMatchObject(inUse(...objections.slice(0, 1)));
    expect(await groupSeen(ann, id)).toMatchObject({ deactivated: false });
  });

  it('ignores settings of the group that name the group', async () => {
    const id = await makeGroup(ann);
    granted(await ann.patch(`/user_groups/${id}`, { can_mention_group: { new: id } }));
    granted(await end(ann, id));
  });
});

describe('a deactivated group', () => {
  it('cannot be given a permission', async () => {
    const id = await makeGroup(ann);
    granted(await end(ann, id));
    expect(await owner.patch('/realm', { can_create_bots_group: { new: id } })).toMatchObject(refused());
    expect(await owner.patch('/realm', { can_create_bots_group: { new: beside(id) } })).toMatchObject(refused());
    const channel = { name: 'none', subscribers: [], can_send_message_group: id };
    expect(await owner.post('/channels/create', channel)).toMatchObject(refused());
  });
});
