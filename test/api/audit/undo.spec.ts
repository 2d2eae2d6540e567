import type { RealmId } from '@annals/kernel/domain';
import { granted } from '../../support/server/caller';
import { groupSeen, makeGroup, refused } from '../../support/requests/groups';
import { subscribe, subscriptionOf, unsubscribe } from '../../support/requests/subscriptions';
import { newest, undo, undone } from '../../support/requests/undo';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
beforeAll(async () => void (users = await startWithUsers()));
afterAll(() => users.server.close());

const cannot = (reason: string, more: object = {}) => refused('CANNOT_BE_UNDONE', { reason, ...more });

describe('an undo', () => {
  it('is refused for unknown positions, and for acts that have no counterpart', async () => {
    const { owner } = users;
    expect(await undo(owner, 1_000_000)).toMatchObject(refused('BAD_REQUEST'));
    expect((await undo(owner, 1_000_000)).body.msg).toBe('No such event: 1000000');
    granted(await owner.patch('/realm', { description: 'A place' }));
    const position = await newest(owner, 'realm.SettingsChanged');
    expect(await undo(owner, position, true)).toMatchObject(cannot('not_undoable'));
    expect(await undo(owner, position)).toMatchObject(cannot('not_undoable'));
    expect(await undo(owner, 0)).toMatchObject(refused('BAD_REQUEST'));
  });

  it('is for administrators and for who acted, as far as they may do the counterpart by hand', async () => {
    const { server, owner, administrator, member, other } = users;
    const { name } = await server.namedChannel(owner, { subscribers: [owner, member] });
    granted(await unsubscribe(member, [name]));
    const position = await newest(owner, 'channels.Unsubscribed');
    expect(await undo(other, position, true)).toMatchObject({ ...refused('UNAUTHORIZED_AUDIT'), status: 403 });
    expect(await undo(other, position)).toMatchObject({ ...refused('UNAUTHORIZED_AUDIT'), status: 403 });
    expect(granted(await undo(member, position)).changes).toHaveLength(1);
    const hidden = await server.namedChannel(owner, { subscribers: [owner, member], invite_only: true });
    granted(await unsubscribe(member, [hidden.name]));
    const left = await newest(owner, 'channels.Unsubscribed');
    for (const by of [administrator, member]) expect(await undo(by, left)).toMatchObject(refused());
  });
});

describe('the undo of an unsubscription', () => {
  it('subscribes the users again, except those who were subscribed since or deactivated', async () => {
    const { server, owner, member, other } = users;
    const leaving = await server.person();
    const people = [owner, member, other, leaving];
    const { id, name } = await server.namedChannel(owner, { subscribers: people });
    granted(await unsubscribe(owner, [name], { principals: [member.id, other.id, leaving.id] }));
    const position = await newest(owner, 'channels.Unsubscribed');
    granted(await subscribe(other, [name]));
    granted(await owner.delete(`/users/${leaving.id}`));
    const { changes, conflicts, positions } = await undone(owner, position);
    expect(changes).toEqual([
      { subjects: [`user:${member.id}`], property: 'subscribed_to', before: null, after: `channel:${id}` },
    ]);
    expect(conflicts).toEqual([
      { subjects: [`user:${other.id}`], reason: 'changed' },
      { subjects: [`user:${leaving.id}`], reason: 'deactivated' },
    ]);
    expect(positions).toEqual([await newest(owner, 'channels.Subscribed')]);
    expect(await subscriptionOf(member, name)).toBeDefined();
    const all = [{ subjects: [`user:${member.id}`, `user:${other.id}`], reason: 'changed' }, conflicts[1]];
    expect(await undo(owner, position)).toMatchObject(cannot('changed_since', { conflicts: all }));
    expect(granted(await undo(owner, position, true))).toMatchObject({ changes: [], conflicts: all });
  });

  it('is caused by it, and is in the life of the channel', async () => {
    const { server, owner, member } = users;
    const { id, name } = await server.namedChannel(owner, { subscribers: [owner, member] });
    granted(await unsubscribe(owner, [name], { principals: [member.id] }));
    const position = await newest(owner, 'channels.Unsubscribed');
    const { positions = [] } = await undone(owner, position);
    const [event] = await server.kernel.events.at(1 as RealmId, positions);
    expect(event).toMatchObject({ causation: `1:${position}`, actorId: owner.id });
    const life = granted(await owner.get<{ events: { position: number }[] }>(`/audit/channels/${id}`));
    expect(life.events.map((one) => one.position)).toEqual(expect.arrayContaining([position, ...positions]));
  });
});

describe('the undo of a change of members', () => {
  it('removes those who were added and adds those who were removed, but none whom a later act changed', async () => {
    const { owner, member, other } = users;
    const group = await makeGroup(owner, { members: [owner.id] });
    granted(await owner.post(`/user_groups/${group}/members`, { add: [member.id, other.id] }));
    const added = await newest(owner, 'groups.MembersAdded');
    granted(await owner.post(`/user_groups/${group}/members`, { delete: [other.id] }));
    granted(await owner.post(`/user_groups/${group}/members`, { add: [other.id] }));
    const { changes, conflicts } = await undone(owner, added);
    expect(changes).toEqual([
      { subjects: [`user:${member.id}`], property: 'member_of', before: `group:${group}`, after: null },
    ]);
    expect(conflicts).toEqual([{ subjects: [`user:${other.id}`], reason: 'changed' }]);
    expect((await groupSeen(owner, group)).members).toEqual([owner.id, other.id]);
    // The undo is an act, too.
    expect((await undone(owner, await newest(owner, 'groups.MembersRemoved'))).conflicts).toEqual([]);
    expect(new Set((await groupSeen(owner, group)).members)).toEqual(new Set([owner.id, member.id, other.id]));
  });

  it('covers groups in groups', async () => {
    const { owner } = users;
    const [outer, inner] = [await makeGroup(owner), await makeGroup(owner)];
    granted(await owner.post(`/user_groups/${outer}/subgroups`, { add: [inner] }));
    const added = await newest(owner, 'groups.SubgroupsAdded');
    await undone(owner, added);
    expect((await groupSeen(owner, outer)).direct_subgroup_ids).toEqual([]);
    expect(await undo(owner, added)).toMatchObject(cannot('changed_since'));
  });
});

describe('the undo of an ending', () => {
  it('unarchives a channel and makes it a default channel again', async () => {
    const { server, owner } = users;
    const { id, name } = await server.namedChannel(owner, {});
    granted(await owner.post('/default_streams', { stream_id: id }));
    granted(await owner.delete(`/streams/${id}`));
    const position = await newest(owner, 'channels.Archived');
    const { changes } = await undone(owner, position);
    expect(changes).toEqual([
      { subjects: [`channel:${id}`], property: 'is_archived', before: true, after: false },
      { subjects: [`channel:${id}`], property: 'is_default', before: false, after: true },
    ]);
    expect(await subscriptionOf(owner, name)).toMatchObject({ is_archived: false });
    expect(await undo(owner, position)).toMatchObject(cannot('changed_since'));
  });

  it('reactivates a group', async () => {
    const { owner } = users;
    const group = await makeGroup(owner);
    granted(await owner.post(`/user_groups/${group}/deactivate`));
    const position = await newest(owner, 'groups.GroupDeactivated');
    expect((await undone(owner, position)).changes).toEqual([
      { subjects: [`group:${group}`], property: 'deactivated', before: true, after: false },
    ]);
    expect((await groupSeen(owner, group)).deactivated).toBe(false);
    expect(await undo(owner, position)).toMatchObject(cannot('changed_since'));
  });

  it('reactivates an account with its bots and subscriptions, and not if its profile was deleted', async () => {
    const { server, owner, administrator, member } = users;
    const person = await server.person();
    const bot = await server.bot(person);
    const { name } = await server.namedChannel(owner, { subscribers: [owner, person] });
    granted(await owner.delete(`/users/${person.id}`));
    const position = await newest(owner, 'users.Deactivated');
    expect(await undo(member, position)).toMatchObject({ status: 403 });
    const { changes } = await undone(administrator, position);
    expect(changes.flatMap(({ subjects }) => subjects)).toEqual([`user:${person.id}`, `user:${bot.id}`]);
    expect(await subscriptionOf(person, name)).toBeDefined();
    granted(await owner.delete(`/users/${person.id}`, { actions: { delete_profile: true } }));
    const [deleted] = [await newest(owner, 'users.Deactivated')];
    const conflicts = [{ subjects: expect.arrayContaining([`user:${person.id}`]) as string[], reason: 'deleted' }];
    expect(await undo(owner, deleted)).toMatchObject(cannot('changed_since', { conflicts }));
  });
});
