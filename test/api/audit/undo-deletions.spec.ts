import { Eraser } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Restorations } from '../../../libs/messages/src/application/undo/restorations';
import { granted } from '../../support/server/caller';
import { refused } from '../../support/requests/groups';
import type { Message } from '../../support/requests/messages';
import { idOf, messageSeen, send, sendDirect } from '../../support/requests/messages';
import { eventsOf, move, newTopic } from '../../support/requests/moves';
import { noOrphanedMessages } from '../../support/requests/orphaned-messages';
import { newest, undo, undone } from '../../support/requests/undo';
import { attachmentsOf, uploadFile } from '../../support/requests/uploads';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
beforeAll(async () => void (users = await startWithUsers()));
afterAll(() => users.server.close());

const say = (by: Person, topic: string, content = 'hello', to: string | number = 'general') =>
  idOf(send(by, { to, topic, content }));
const remove = async (by: Person, id: number): Promise<number> => {
  granted(await by.delete(`/messages/${id}`));
  return newest(users.owner, 'messages.MessagesDeleted');
};
const found = async (by: Person, narrow: readonly (readonly [string, string])[]): Promise<Message[]> => {
  const params = { anchor: 'newest', num_before: 50, num_after: 0, narrow, allow_empty_topic_name: true };
  return granted(await by.get<{ messages: Message[] }>('/messages', params)).messages;
};
const unread = async (by: Person): Promise<readonly number[]> => {
  const { unread_msgs } = await by.register({ fetch_event_types: ['message', 'update_message_flags'] });
  const { streams, pms } = unread_msgs as Record<'streams' | 'pms', { unread_message_ids: number[] }[]>;
  return [...streams, ...pms].flatMap(({ unread_message_ids: ids }) => ids);
};

describe('the undo of a deletion', () => {
  it('restores a message with its text, edits, reactions, stars and read state', async () => {
    const { owner, member, other } = users;
    const topic = newTopic();
    const [id, neighbour] = [await say(member, topic, 'one @**Otto**'), await say(member, topic)];
    granted(await member.patch(`/messages/${id}`, { content: 'two @**Otto**' }));
    granted(await owner.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    granted(await owner.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }));
    granted(await owner.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }));
    const before = [await messageSeen(owner, id), await messageSeen(other, id)];
    const position = await remove(owner, id);
    const { changes, positions = [] } = await undone(owner, position);
    expect(changes).toEqual([{ subjects: [`message:${id}`], property: 'is_deleted', before: true, after: false }]);
    expect([await messageSeen(owner, id), await messageSeen(other, id)]).toEqual(before);
    expect(await unread(other)).toContain(id);
    expect(await unread(owner)).not.toContain(id);
    const shown = await found(owner, [['topic', topic]]);
    expect(shown.map((one) => one.id)).toEqual([id, neighbour]);
    expect(granted(await owner.get<{ state: string }>(`/audit/messages/${id}`)).state).toBe('exists');
    const life = granted(await owner.get<{ events: { position: number }[] }>(`/audit/messages/${id}`)).events;
    expect(life.map((one) => one.position)).toEqual(expect.arrayContaining([position, positions[0]]));
    const answer = await undo(owner, position);
    expect(answer).toMatchObject(refused('CANNOT_BE_UNDONE', { reason: 'changed_since' }));
  });

  it('reaches clients as a message event', async () => {
    const { owner, member, other } = users;
    const id = await say(member, newTopic(), 'told');
    await say(member, newTopic());
    const position = await remove(owner, id);
    const [event] = await eventsOf(other, () => undone(owner, position), 'message');
    const seen = await messageSeen(other, id, { apply_markdown: false });
    expect(event).toMatchObject({ flags: [], message: { id, content: 'told', subject: seen.subject } });
    granted(await member.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }));
    expect(await eventsOf(member, async () => undone(owner, await remove(owner, id)), 'message')).toMatchObject([
      { flags: ['read'] },
    ]);
  });

  it('restores a whole topic, the first message of its channel, and direct messages', async () => {
    const { server, owner, member } = users;
    const { id: stream, name } = await server.namedChannel(owner, { subscribers: [owner, member] });
    const [topic, moved] = [newTopic(), newTopic()];
    const ids = [
      await say(member, topic, 'a', name),
      await say(owner, topic, 'b', name),
      await say(owner, moved, 'c', name),
    ];
    await move(owner, ids[2] ?? 0, { topic });
    granted(await owner.post(`/streams/${stream}/delete_topic`, { topic_name: topic }));
    const position = await newest(owner, 'messages.MessagesDeleted');
    await undone(owner, position);
    expect((await found(owner, [['channel', name]])).map(({ id, subject }) => [id, subject])).toEqual(
      ids.map((id) => [id, topic]),
    );
    const { stream: channel } = granted(
      await owner.get<{ stream: { first_message_id: number } }>(`/streams/${stream}`),
    );
    expect(channel.first_message_id).toBe(ids[0]);
    const direct = await idOf(sendDirect(member, [owner.id]));
    await undone(owner, await remove(owner, direct));
    expect((await messageSeen(member, direct)).id).toBe(direct);
  });

  it('finds the words again, and the file knows its message', async () => {
    const { server, owner, member } = users;
    const { url } = await uploadFile(member);
    const id = await say(member, newTopic(), `zymurgy [x](${url})`);
    await undone(owner, await remove(owner, id));
    await server.settled();
    expect((await found(owner, [['search', 'zymurgy']])).map((one) => one.id)).toEqual([id]);
    const { attachments } = await attachmentsOf(member);
    expect(attachments.flatMap(({ message_ids }) => message_ids)).toContain(id);
  });

  it('leaves the past as it was: the message was not there meanwhile', async () => {
    const { owner, member } = users;
    const topic = newTopic();
    const id = await say(member, topic, 'then');
    const position = await remove(owner, id);
    const { positions = [] } = await undone(owner, position);
    const at = async (as_of: number) => (await messageSeen(owner, id, { as_of }))?.content ?? null;
    expect(await at(id)).not.toBeNull();
    expect(await at(position)).toBeNull();
    expect(await at(Math.max(...positions))).not.toBeNull();
    await remove(owner, id);
    expect(await at(Math.max(...positions))).not.toBeNull();
  });

  it('is for who deleted it, and for administrators, as far as they may delete', async () => {
    const { owner, administrator, member, other, groups } = users;
    const id = await say(member, newTopic());
    granted(await owner.patch('/realm', { can_delete_own_message_group: { new: groups.members } }));
    const position = await remove(member, id);
    expect(await undo(other, position)).toMatchObject({ status: 403 });
    expect(granted(await undo(administrator, position, true)).changes).toHaveLength(1);
    await undone(member, position);
    const direct = await idOf(sendDirect(member, [other.id]));
    const deleted = await remove(member, direct);
    expect(await undo(administrator, deleted)).toMatchObject(refused());
    await undone(member, deleted);
  });

  it('withdraws the erasure, and is not possible after it', async () => {
    const { server, owner, member } = users;
    const [restored, lost] = [await say(member, newTopic(), 'kept'), await say(member, newTopic(), 'lost')];
    const position = await remove(owner, restored);
    await undone(owner, position);
    // The index of orders may not have followed the restoration.
    await new Eraser(server.kernel, 0).sweep();
    const erased = await remove(owner, lost);
    await server.settled();
    await new Eraser(server.kernel, 0).sweep();
    expect((await messageSeen(owner, restored)).content).toContain('kept');
    const again = await newest(owner, 'messages.MessageRestored');
    await remove(owner, restored);
    await server.settled();
    await new Eraser(server.kernel, 0).sweep();
    expect(await server.kernel.events.at(1 as RealmId, [again])).toMatchObject([{ sealed: 'erased' }]);
    expect(await undo(owner, erased)).toMatchObject(
      refused('CANNOT_BE_UNDONE', {
        reason: 'erased',
        conflicts: [{ subjects: [`message:${lost}`], reason: 'erased' }],
      }),
    );
  });

  it('leaves what an account had deleted with itself', async () => {
    const { server, owner } = users;
    const person = await server.person();
    const id = await say(person, newTopic());
    const direct = await idOf(sendDirect(person, [owner.id]));
    const [position, other] = [await remove(owner, id), await remove(owner, direct)];
    granted(await owner.delete(`/users/${person.id}`, { actions: { delete_public_channel_messages: true } }));
    await noOrphanedMessages(server.kernel);
    const conflicts = [{ subjects: [`message:${id}`], reason: 'deleted' }];
    expect(await undo(owner, position)).toMatchObject(refused('CANNOT_BE_UNDONE', { conflicts }));
    expect(granted(await undo(owner, other, true)).changes).toHaveLength(1);
    granted(await owner.post(`/users/${person.id}/reactivate`));
    await undone(owner, await remove(owner, await say(person, newTopic())));
    granted(await owner.delete(`/users/${person.id}`, { actions: { delete_profile: true } }));
    expect(await undo(owner, other)).toMatchObject(refused('CANNOT_BE_UNDONE'));
  });

  it('is decided again when the account of the sender is deleted before it is stored', async () => {
    const { server, owner } = users;
    const person = await server.person();
    const id = await say(person, newTopic());
    const position = await remove(owner, id);
    const actions = { delete_profile: true, delete_public_channel_messages: true };
    const decision = jest.spyOn(Restorations.prototype, 'apply').mockImplementationOnce(async function (
      this: Restorations,
      ...of
    ) {
      granted(await owner.delete(`/users/${person.id}`, { actions }));
      await noOrphanedMessages(server.kernel);
      return this.apply(...of);
    });
    const answer = await undo(owner, position);
    decision.mockRestore();
    expect(answer).toMatchObject(refused('CANNOT_BE_UNDONE', { reason: 'changed_since' }));
    expect(await messageSeen(owner, id)).toBeUndefined();
  });
});
