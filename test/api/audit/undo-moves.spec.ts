import { granted } from '../../support/server/caller';
import { idOf, messageSeen, send } from '../../support/requests/messages';
import { move, newTopic } from '../../support/requests/moves';
import { refused } from '../../support/requests/groups';
import { newest, newestEvents, undo, undone } from '../../support/requests/undo';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
beforeAll(async () => void (users = await startWithUsers()));
afterAll(() => users.server.close());

const say = (by: Person, topic: string, to: string | number = 'general') => idOf(send(by, { to, topic }));
const placeOf = async (id: number) => {
  const seen = await messageSeen(users.owner, id);
  return seen && `${String(seen.display_recipient)} > ${String(seen.subject)}`;
};
const topicsOf = async (stream: number) =>
  granted(await users.owner.get<{ topics: { name: string }[] }>(`/users/me/${stream}/topics`)).topics.map(
    ({ name }) => name,
  );
const newestMove = async () =>
  (await newestEvents(users.owner, ['messages.TopicMoved', 'messages.MessagesMoved']))[0]?.position ?? 0;
const whole = { propagate_mode: 'change_all' };

describe('the undo of a move', () => {
  it('moves a renamed topic back, without the notice of the move', async () => {
    const { server, owner, other } = users;
    const { id: stream, name } = await server.namedChannel(owner, { subscribers: [owner, other] });
    const [from, to] = [newTopic(), newTopic()];
    const ids = [await say(owner, from, name), await say(other, from, name)];
    const notified = { ...whole, send_notification_to_new_thread: true };
    await move(owner, ids[0] ?? 0, { topic: to, ...notified });
    const position = await newestMove();
    const { changes, conflicts } = await undone(owner, position);
    expect(changes).toMatchObject([
      { subjects: ids.map((id) => `message:${id}`), property: 'topic', before: to, after: from },
      { property: 'is_deleted', before: false, after: true },
    ]);
    expect(conflicts).toEqual([]);
    expect(await topicsOf(stream)).toEqual([from]);
    expect(await undo(owner, position)).toMatchObject(refused('CANNOT_BE_UNDONE', { reason: 'changed_since' }));
    await undone(owner, await newestMove());
    expect(await topicsOf(stream)).toEqual([to]);
  });

  it('leaves messages that were moved, deleted or sent since', async () => {
    const { owner, member } = users;
    const [from, to, away] = [newTopic(), newTopic(), newTopic()];
    const [first, moved, deleted] = [await say(owner, from), await say(owner, from), await say(member, from)];
    await move(owner, first, { topic: to, ...whole });
    const position = await newestMove();
    await move(owner, moved, { topic: away, propagate_mode: 'change_one' });
    granted(await owner.delete(`/messages/${deleted}`));
    const later = await say(member, to);
    const { changes, conflicts } = await undone(owner, position);
    expect(changes).toMatchObject([{ subjects: [`message:${first}`] }]);
    expect(conflicts).toEqual([
      { subjects: [`message:${moved}`], reason: 'changed' },
      { subjects: [`message:${deleted}`], reason: 'deleted' },
    ]);
    expect(await placeOf(first)).toBe(`general > ${from}`);
    expect(await placeOf(moved)).toBe(`general > ${away}`);
    expect(await placeOf(later)).toBe(`general > ${to}`);
  });

  it('brings a topic back from another channel, and separates topics that it joined', async () => {
    const { server, owner } = users;
    const { id: stream, name } = await server.namedChannel(owner, {});
    const topic = newTopic();
    const [there, moved] = [await say(owner, topic, name), await say(owner, topic)];
    await move(owner, moved, { stream_id: stream, ...whole });
    const { changes } = await undone(owner, await newestMove());
    expect(changes.map(({ property }) => property)).toEqual(['channel_id']);
    expect(await placeOf(moved)).toBe(`general > ${topic}`);
    expect(await placeOf(there)).toBe(`${name} > ${topic}`);
  });

  it('brings single messages back to their topic, also if it has another name now', async () => {
    const { owner } = users;
    const [from, to, renamed] = [newTopic(), newTopic(), newTopic()];
    const [stays, first, second] = [await say(owner, from), await say(owner, from), await say(owner, from)];
    await move(owner, first, { topic: to, propagate_mode: 'change_later' });
    const position = await newestMove();
    await move(owner, stays, { topic: renamed, ...whole });
    await undone(owner, position);
    for (const id of [stays, first, second]) expect(await placeOf(id)).toBe(`general > ${renamed}`);
  });

  it('finds messages that were deleted and restored since, also where their topic ended meanwhile', async () => {
    const { owner } = users;
    const [from, to] = [newTopic(), newTopic()];
    const ids = [await say(owner, from), await say(owner, from)];
    await move(owner, ids[0] ?? 0, { topic: to, ...whole });
    const position = await newestMove();
    const deletions: number[] = [];
    for (const id of [...ids, ids[0]]) {
      granted(await owner.delete(`/messages/${id}`));
      deletions.push(await newest(owner, 'messages.MessagesDeleted'));
      if (deletions.length === 2) for (const one of deletions) await undone(owner, one);
    }
    await undone(owner, deletions[2] ?? 0);
    const { changes, conflicts } = await undone(owner, position);
    expect(changes).toMatchObject([{ subjects: ids.map((id) => `message:${id}`), before: to, after: from }]);
    expect(conflicts).toEqual([]);
    for (const id of ids) expect(await placeOf(id)).toBe(`general > ${from}`);
  });

  it('is refused when the name of the topic that a message left was erased', async () => {
    const { server, owner } = users;
    const [from, to] = [newTopic(), newTopic()];
    const [moved, ...left] = [await say(owner, from), await say(owner, from), await say(owner, from)];
    const [event] = await newestEvents(owner, ['messages.TopicStarted']);
    await move(owner, moved, { topic: to });
    const position = await newestMove();
    for (const id of left) granted(await owner.delete(`/messages/${id}`));
    expect(granted(await undo(owner, position, true)).changes).toMatchObject([{ before: to, after: from }]);
    // As in a copy of the log without words.
    await server.kernel.database.pool.query(
      `UPDATE events SET sealed = NULL, salt = NULL WHERE realm_id = 1 AND stream = 'topic-' || $1`,
      [event?.subjects.find(({ kind }) => kind === 'topic')?.id],
    );
    for (const isDryRun of [true, false])
      expect(await undo(owner, position, isDryRun)).toMatchObject(refused('CANNOT_BE_UNDONE', { reason: 'erased' }));
    expect(await placeOf(moved)).toBe(`general > ${to}`);
  });

  it('leaves restored messages that were moved since', async () => {
    const { owner } = users;
    const [from, to] = [newTopic(), newTopic()];
    const id = await say(owner, from);
    await move(owner, id, { topic: to, ...whole });
    const position = await newestMove();
    granted(await owner.delete(`/messages/${id}`));
    await undone(owner, await newest(owner, 'messages.MessagesDeleted'));
    await move(owner, id, { topic: newTopic(), ...whole });
    const conflicts = [{ subjects: [`message:${id}`], reason: 'changed' }];
    expect(granted(await undo(owner, position, true))).toMatchObject({ changes: [], conflicts });
  });

  it('marks a resolved topic as unresolved, without the notice', async () => {
    const { server, owner, member } = users;
    const { id: stream, name } = await server.namedChannel(owner, { subscribers: [owner, member] });
    const topic = newTopic();
    const id = await say(member, topic, name);
    await move(member, id, { topic: `✔ ${topic}`, ...whole });
    const position = await newestMove();
    expect(await undo(users.other, position)).toMatchObject({ status: 403 });
    await undone(member, position);
    expect(await topicsOf(stream)).toEqual([topic]);
    const { messages } = granted(
      await owner.get<{ messages: unknown[] }>('/messages', {
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: name }],
      }),
    );
    expect(messages).toHaveLength(1);
  });

  it('follows the rules of moving by hand', async () => {
    const { owner, member, groups } = users;
    const [from, to] = [newTopic(), newTopic()];
    const id = await say(member, from);
    await move(member, id, { topic: to, ...whole });
    const position = await newestMove();
    const nobody = { new: groups.nobody };
    const everyone = { new: groups.everyone };
    granted(await owner.patch('/realm', { can_move_messages_between_topics_group: nobody }));
    const answer = await undo(member, position, true);
    granted(await owner.patch('/realm', { can_move_messages_between_topics_group: everyone }));
    expect(answer).toMatchObject(refused());
    expect(answer.body.msg).toMatch(/permission/);
    await undone(member, position);
  });

  it('is known to the trail by what caused it, and leaves the past as it was', async () => {
    const { server, owner } = users;
    const [from, to] = [newTopic(), newTopic()];
    const id = await say(owner, from);
    await move(owner, id, { topic: to, ...whole });
    const position = await newestMove();
    const { positions = [] } = await undone(owner, position);
    const events = await server.kernel.events.at(1 as never, positions);
    expect(new Set(events.map(({ causation }) => causation))).toEqual(new Set([`1:${position}`]));
    const then = await messageSeen(owner, id, { as_of: position });
    expect(then.subject).toBe(to);
    const life = granted(await owner.get<{ events: { position: number }[] }>(`/audit/messages/${id}`));
    expect(life.events.map((one) => one.position)).toEqual([id, position, await newest(owner, 'messages.TopicMoved')]);
  });
});
