import { SubscriptionEffects } from '../../../libs/channels/src/application/subscription/subscription-effects';
import { makeGroup, only, refused } from '../../support/requests/groups';
import { idOf, messageSeen, send, sendDirect } from '../../support/requests/messages';
import { move, newTopic } from '../../support/requests/moves';
import { subscribe, unsubscribe } from '../../support/requests/subscriptions';
import { newest, undo, undone } from '../../support/requests/undo';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
beforeAll(async () => {
  users = await startWithUsers();
  const { owner, groups } = users;
  granted(await owner.patch('/realm', { can_delete_own_message_group: { new: groups.members } }));
});
afterAll(() => users.server.close());

const say = (by: Person, topic: string, to: string | number) => idOf(send(by, { to, topic }));
const remove = async (by: Person, id: number): Promise<number> => {
  granted(await by.delete(`/messages/${id}`));
  return newest(users.owner, 'messages.MessagesDeleted');
};
const hiddenChannel = (more: object = {}) => {
  const { server, owner, member, other } = users;
  return server.namedChannel(owner, { subscribers: [owner, member, other], invite_only: true, ...more });
};
const whole = { propagate_mode: 'change_all' };

describe('an undo by who cannot do the opposite by hand', () => {
  /** The refusal must not change with what others did since. */
  async function expectSameRefusal(
    by: Person,
    position: number,
    since: () => Promise<unknown>,
    code = 'BAD_REQUEST',
  ): Promise<void> {
    const answers = async () => [await undo(by, position, true), await undo(by, position)];
    const before = await answers();
    for (const answer of before) expect(answer).toMatchObject(refused(code));
    await since();
    expect((await answers()).map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  }

  it('does not tell who subscribed to a private channel since', async () => {
    const { owner, member, other, groups } = users;
    const { id, name } = await hiddenChannel();
    granted(await owner.patch(`/streams/${id}`, { can_remove_subscribers_group: { new: groups.members } }));
    granted(await unsubscribe(member, [name], { principals: [other.id] }));
    const position = await newest(owner, 'channels.Unsubscribed');
    granted(await unsubscribe(owner, [name], { principals: [member.id] }));
    await expectSameRefusal(member, position, () => subscribe(owner, [name], { principals: [other.id] }));
  });

  it('does not tell whether messages of a private channel came back', async () => {
    const { owner, member } = users;
    const { name } = await hiddenChannel();
    const position = await remove(member, await say(member, newTopic(), name));
    granted(await unsubscribe(owner, [name], { principals: [member.id] }));
    await expectSameRefusal(member, position, () => undone(owner, position));
  });

  it('does not tell whether a direct message came back', async () => {
    const { administrator, member, other } = users;
    const position = await remove(member, await idOf(sendDirect(member, [other.id])));
    await expectSameRefusal(administrator, position, () => undone(member, position));
  });

  it('does not tell whether messages of a private channel moved on', async () => {
    const { owner, administrator, member } = users;
    const { name } = await hiddenChannel();
    const topic = newTopic();
    const id = await say(member, topic, name);
    await move(owner, id, { topic: newTopic(), ...whole });
    const position = await newest(owner, 'messages.TopicMoved');
    await expectSameRefusal(administrator, position, () => move(owner, id, { topic: newTopic(), ...whole }));
  });

  it('does not tell whether a channel was unarchived', async () => {
    const { server, owner, other, groups } = users;
    const id = await server.channel(other, { name: 'short-lived' });
    granted(await other.delete(`/streams/${id}`));
    const position = await newest(owner, 'channels.Archived');
    granted(await owner.patch(`/streams/${id}`, { can_administer_channel_group: { new: groups.nobody } }));
    const unarchive = () => owner.patch(`/streams/${id}`, { is_archived: false });
    await expectSameRefusal(other, position, unarchive, 'CANNOT_ADMINISTER_CHANNEL');
  });

  it('does not tell who was added to a group since, or removed from it', async () => {
    const { owner, member, other, groups } = users;
    const inner = await makeGroup(owner);
    const group = await makeGroup(owner, { can_manage_group: only(member), members: [other.id] });
    granted(await member.post(`/user_groups/${group}/members`, { delete: [other.id] }));
    const removed = await newest(owner, 'groups.MembersRemoved');
    granted(await member.post(`/user_groups/${group}/subgroups`, { add: [inner] }));
    const nested = await newest(owner, 'groups.SubgroupsAdded');
    granted(await owner.patch(`/user_groups/${group}`, { can_manage_group: { new: groups.nobody } }));
    await expectSameRefusal(member, removed, () => owner.post(`/user_groups/${group}/members`, { add: [other.id] }));
    await expectSameRefusal(member, nested, () => owner.post(`/user_groups/${group}/subgroups`, { delete: [inner] }));
    granted(await owner.patch(`/user_groups/${group}`, { can_manage_group: { new: only(member) } }));
    expect(granted(await undo(member, removed, true))).toMatchObject({
      changes: [],
      conflicts: [{ reason: 'changed' }],
    });
  });

  it('does not tell whether a group was reactivated', async () => {
    const { owner, member, groups } = users;
    const group = await makeGroup(owner, { can_manage_group: only(member) });
    granted(await member.post(`/user_groups/${group}/deactivate`));
    const position = await newest(owner, 'groups.GroupDeactivated');
    expect(granted(await undo(member, position, true)).changes).toHaveLength(1);
    granted(await owner.patch(`/user_groups/${group}`, { can_manage_group: { new: groups.nobody } }));
    await expectSameRefusal(member, position, () => owner.patch(`/user_groups/${group}`, { deactivated: false }));
  });
});

it('the undo of an unsubscription is for users who may subscribe these users, and not for guests', async () => {
  const { server, owner, member, other, guest, groups } = users;
  const { id, name } = await server.namedChannel(owner, { subscribers: [owner, member, other, guest] });
  granted(await owner.patch(`/streams/${id}`, { can_remove_subscribers_group: { new: groups.members } }));
  granted(await unsubscribe(member, [name], { principals: [other.id] }));
  const position = await newest(owner, 'channels.Unsubscribed');
  granted(await owner.patch('/realm', { can_add_subscribers_group: { new: groups.administrators } }));
  const answer = await undo(member, position);
  granted(await owner.patch('/realm', { can_add_subscribers_group: { new: groups.members } }));
  expect(answer).toMatchObject({ status: 400 });
  expect((await undone(member, position)).changes).toMatchObject([{ subjects: [`user:${other.id}`] }]);
  granted(await unsubscribe(guest, [name]));
  expect(await undo(guest, await newest(owner, 'channels.Unsubscribed'))).toMatchObject(refused());
});

describe('the undo of a deletion by who deleted it', () => {
  const notAllowed = (id: number) =>
    refused('CANNOT_BE_UNDONE', { conflicts: [{ subjects: [`message:${id}`], reason: 'not_allowed' }] });

  it('needs the permission to send to the channel, unless the account may delete messages of others', async () => {
    const { server, owner, member, groups } = users;
    const { id: stream, name } = await server.namedChannel(owner, { subscribers: [owner, member] });
    const topic = newTopic();
    const [id, ownersId] = [await say(member, topic, name), await say(owner, topic, name)];
    const [position, ownersPosition] = [await remove(member, id), await remove(owner, ownersId)];
    granted(await owner.patch(`/streams/${stream}`, { can_send_message_group: { new: groups.nobody } }));
    expect(await undo(member, position)).toMatchObject(notAllowed(id));
    expect((await undone(owner, ownersPosition)).changes).toHaveLength(1);
    granted(await owner.patch(`/streams/${stream}`, { can_send_message_group: { new: groups.everyone } }));
    expect((await undone(member, position)).changes).toHaveLength(1);
  });

  it('needs the permission to start topics, where the topic ended', async () => {
    const { server, owner, member, groups } = users;
    const { id: stream, name } = await server.namedChannel(owner, { subscribers: [owner, member] });
    const id = await say(member, newTopic(), name);
    const position = await remove(member, id);
    granted(await owner.patch(`/streams/${stream}`, { can_create_topic_group: { new: groups.administrators } }));
    expect(await undo(member, position)).toMatchObject(notAllowed(id));
    expect((await undone(owner, position)).changes).toHaveLength(1);
  });

  it('needs the permission to write direct messages', async () => {
    const { owner, member, other, groups } = users;
    const id = await idOf(sendDirect(member, [other.id]));
    const position = await remove(member, id);
    granted(await owner.patch('/realm', { direct_message_permission_group: { new: groups.nobody } }));
    const answer = await undo(member, position);
    granted(await owner.patch('/realm', { direct_message_permission_group: { new: groups.everyone } }));
    expect(answer).toMatchObject(notAllowed(id));
    expect((await undone(member, position)).changes).toHaveLength(1);
  });
});

it('the undo of a deletion in several places leaves those that the actor cannot read, and does not name them', async () => {
  const { owner, administrator, member } = users;
  const hidden = await users.server.namedChannel(owner, { subscribers: [owner, administrator], invite_only: true });
  const id = await say(member, newTopic(), 'general');
  const notices = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
  granted(await administrator.patch(`/messages/${id}`, { stream_id: hidden.id, ...whole, ...notices }));
  const { changes } = await undone(administrator, await newest(owner, 'messages.TopicMoved'));
  const deleted = changes.find(({ property }) => property === 'is_deleted')?.subjects ?? [];
  expect(deleted).toHaveLength(2);
  const position = await newest(owner, 'messages.MessagesDeleted');
  // One of the notices would go to the topic, which the administrator cannot read there.
  await move(owner, id, { stream_id: hidden.id, ...whole });
  granted(await unsubscribe(owner, [hidden.name], { principals: [administrator.id] }));
  const answer = await undone(administrator, position);
  expect(answer).toMatchObject({ changes: [{ subjects: [expect.any(String)] }], conflicts: [] });
  expect(deleted).toContain(answer.changes[0]?.subjects[0]);
});

describe('the conflicts of an undo', () => {
  it('name no message that moved to where the actor cannot read', async () => {
    const { owner, member } = users;
    const [topic, to] = [newTopic(), newTopic()];
    const [stays, leaves] = [await say(member, topic, 'general'), await say(owner, topic, 'general')];
    await move(member, stays, { topic: to, ...whole });
    const position = await newest(owner, 'messages.TopicMoved');
    const hidden = await users.server.namedChannel(owner, { subscribers: [owner], invite_only: true });
    await move(owner, leaves, { stream_id: hidden.id, topic: to });
    expect(granted(await undo(owner, position, true)).conflicts).toEqual([
      { subjects: [`message:${leaves}`], reason: 'changed' },
    ]);
    expect((await undone(member, position)).conflicts).toEqual([]);
  });

  it('name no message that had not arrived for the actor, and it stays', async () => {
    const { owner, administrator, member } = users;
    const { id, name } = await hiddenChannel({ history_public_to_subscribers: false });
    const topic = newTopic();
    const before = [await say(member, topic, name), await say(member, topic, name)];
    granted(await subscribe(owner, [name], { principals: [administrator.id] }));
    const after = await say(member, topic, name);
    const to = newTopic();
    await move(owner, before[0] ?? 0, { topic: to, ...whole });
    const moved = await newest(owner, 'messages.TopicMoved');
    const { changes, conflicts } = granted(await undo(administrator, moved, true));
    expect([changes, conflicts]).toMatchObject([[{ subjects: [`message:${after}`] }], []]);
    granted(await owner.post(`/streams/${id}/delete_topic`, { topic_name: to }));
    const answer = await undone(administrator, await newest(owner, 'messages.MessagesDeleted'));
    expect(answer).toMatchObject({ changes: [{ subjects: [`message:${after}`] }], conflicts: [] });
    for (const one of before) expect(await messageSeen(owner, one)).toBeUndefined();
  });
});

it('an undo is decided again when somebody subscribes and leaves before it is stored', async () => {
  const { server, owner, member } = users;
  const { name } = await server.namedChannel(owner, { subscribers: [owner, member] });
  granted(await unsubscribe(owner, [name], { principals: [member.id] }));
  const position = await newest(owner, 'channels.Unsubscribed');
  const decision = jest.spyOn(SubscriptionEffects.prototype, 'subscribe').mockImplementationOnce(async function (
    this: SubscriptionEffects,
    ...of
  ) {
    granted(await subscribe(member, [name]));
    granted(await unsubscribe(member, [name]));
    return this.subscribe(...of);
  });
  const answer = await undo(owner, position);
  decision.mockRestore();
  expect(answer).toMatchObject(refused('CANNOT_BE_UNDONE', { reason: 'changed_since' }));
});
