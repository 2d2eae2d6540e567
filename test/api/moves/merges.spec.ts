import { createHash } from 'node:crypto';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person();
});
afterAll(() => server.close());

const refused = (code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', code } });
const channel = () => server.channel(owner, { subscribers: [owner, member] });
const post = async (to: number, topic: string, content = 'hello') =>
  granted(await member.post<{ id: number }>('/messages', { type: 'channel', to, topic, content })).id;
/** Without the notice of a move, which is a message too. */
const edit = (id: number, params: Params) =>
  member.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params });
const topicsOf = async (id: number) => {
  const params = { allow_empty_topic_name: true };
  return granted(await member.get<{ topics: { name: string; max_id: number }[] }>(`/users/me/${id}/topics`, params))
    .topics;
};
const subjects = async (to: number) => {
  const narrow = [{ operator: 'channel', operand: to }];
  const params = { narrow, anchor: 'newest', num_before: 100, num_after: 0, allow_empty_topic_name: true };
  const { messages } = granted(await member.get<{ messages: { id: number; subject: string }[] }>('/messages', params));
  return Object.fromEntries(messages.map(({ id, subject }) => [id, subject]));
};
const firstOf = async (id: number) =>
  granted(await member.get<{ stream: { first_message_id: number | null } }>(`/streams/${id}`)).stream.first_message_id;

describe('merged topics', () => {
  it('are one for readers, with the letter case of the newest', async () => {
    const to = await channel();
    const [a, b, c] = [await post(to, 'a'), await post(to, 'B'), await post(to, 'b')];
    granted(await edit(a, { topic: 'B', propagate_mode: 'change_all' }));
    expect(await topicsOf(to)).toEqual([{ name: 'b', max_id: c }]);
    expect(await subjects(to)).toEqual({ [a]: 'B', [b]: 'B', [c]: 'b' });
    granted(await edit(a, { topic: 'both', propagate_mode: 'change_all' }));
    expect(await topicsOf(to)).toEqual([{ name: 'both', max_id: c }]);
    expect(await subjects(to)).toEqual({ [a]: 'both', [b]: 'both', [c]: 'both' });
  });

  it('take another letter case', async () => {
    const to = await channel();
    const [a, b] = [await post(to, 'lunch'), await post(to, 'Lunch')];
    granted(await edit(a, { topic: 'Lunch', propagate_mode: 'change_all' }));
    expect(await subjects(to)).toEqual({ [a]: 'Lunch', [b]: 'Lunch' });
    granted(await edit(b, { topic: 'LUNCH' }));
    expect(await subjects(to)).toEqual({ [a]: 'Lunch', [b]: 'LUNCH' });
  });

  it('keep their letter cases in another channel', async () => {
    const [to, away] = [await channel(), await channel()];
    const [a, b] = [await post(to, 'lunch'), await post(to, 'Lunch')];
    const changed = () => edit(b, { stream_id: away, propagate_mode: 'change_all' });
    const [event] = await member.receive(changed, 'update_message');
    expect(event).toMatchObject({ message_ids: [a, b], orig_subject: 'Lunch' });
    expect(event).not.toHaveProperty('subject');
    expect(await subjects(away)).toEqual({ [a]: 'lunch', [b]: 'Lunch' });
    const { message } = granted(await member.get<{ message: { edit_history: object[] } }>(`/messages/${a}`));
    expect(message.edit_history).toEqual([expect.not.objectContaining({ topic: 'Lunch' })]);
    granted(await edit(a, { stream_id: to, propagate_mode: 'change_one' }));
    granted(await edit(b, { stream_id: to, propagate_mode: 'change_one' }));
    expect(await subjects(to)).toEqual({ [a]: 'lunch', [b]: 'Lunch' });
  });

  it('can be split again message by message', async () => {
    const [to, away] = [await channel(), await channel()];
    const ids = [await post(to, 'a'), await post(to, 'a'), await post(away, 'a'), await post(away, 'a')];
    granted(await edit(ids[0] ?? 0, { stream_id: away, propagate_mode: 'change_all' }));
    expect(Object.keys(await subjects(away)).map(Number)).toEqual(ids);
    granted(await edit(ids[1] ?? 0, { stream_id: to, topic: 'b', propagate_mode: 'change_later' }));
    expect(Object.keys(await subjects(away)).map(Number)).toEqual(ids.slice(0, 1));
    expect(await topicsOf(to)).toEqual([{ name: 'b', max_id: ids[3] }]);
  });

  it('receive new messages under the new name, and the old name is a new topic', async () => {
    const to = await channel();
    const a = await post(to, 'a');
    granted(await edit(a, { topic: 'b', propagate_mode: 'change_all' }));
    const [later, again] = [await post(to, 'b'), await post(to, 'a')];
    expect(await subjects(to)).toEqual({ [a]: 'b', [later]: 'b', [again]: 'a' });
  });
});

describe('the empty topic', () => {
  it('can be a target and a source, and is never resolved', async () => {
    const to = await channel();
    const id = await post(to, 'a');
    granted(await edit(id, { topic: 'general chat' }));
    expect(await subjects(to)).toEqual({ [id]: '' });
    for (const topic of ['✔', '✔ ', '✔ general chat']) expect(await edit(id, { topic })).toMatchObject(refused());
    granted(await edit(id, { topic: '(no topic)' }));
    expect(await subjects(to)).toEqual({ [id]: '(no topic)' });
  });
});

describe('the oldest message of a channel', () => {
  it('changes when it moves away or an older one arrives', async () => {
    const [to, away] = [await channel(), await channel()];
    const [a, b] = [await post(to, 'a'), await post(away, 'x')];
    const c = await post(to, 'c');
    granted(await edit(a, { stream_id: away }));
    expect([await firstOf(to), await firstOf(away)]).toEqual([c, a]);
    granted(await edit(c, { stream_id: away }));
    expect([await firstOf(to), await firstOf(away)]).toEqual([null, a]);
    granted(await edit(b, { stream_id: to, propagate_mode: 'change_all' }));
    expect([await firstOf(to), await firstOf(away)]).toEqual([b, a]);
  });
});

describe('one request', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  it('changes text and topic together', async () => {
    const to = await channel();
    const [a, b] = [await post(to, 'a', 'first'), await post(to, 'a', 'other')];
    granted(await edit(a, { content: 'second', topic: 'b', propagate_mode: 'change_all' }));
    expect(await subjects(to)).toEqual({ [a]: 'b', [b]: 'b' });
    const raw = async (id: number) => granted(await member.get<{ raw_content: string }>(`/messages/${id}`)).raw_content;
    expect([await raw(a), await raw(b)]).toEqual(['second', 'other']);
  });

  it('checks the expected text also for a move only', async () => {
    const to = await channel();
    const id = await post(to, 'a', 'first');
    const move = (text: string) => edit(id, { topic: 'b', prev_content_sha256: sha256(text) });
    expect(await move('other')).toMatchObject(refused('EXPECTATION_MISMATCH'));
    expect((await move('first')).status).toBe(200);
  });

  it('is refused completely where a part is, and leaves no trace', async () => {
    const [to, away] = [await channel(), await channel()];
    const id = await post(to, 'a', 'first');
    const direct = granted(
      await member.post<{ id: number }>('/messages', { type: 'direct', to: [owner.id], content: 'hi' }),
    ).id;
    const head = async () => (await server.kernel.events.heads()).get(1 as never);
    const before = await head();
    for (const input of [
      { stream_id: away, content: 'x' },
      { stream_id: to },
      { topic: 'tab\there' },
      { topic: 'b', content: '@*role:members*' },
      { topic: 'b', stream_id: 999_999 },
    ]) {
      expect(await edit(id, input)).toMatchObject(refused());
    }
    for (const input of [{ topic: 'a' }, { topic: '' }, { stream_id: to }, { content: 'x', topic: 'a' }]) {
      expect(await edit(direct, input)).toMatchObject(refused());
    }
    expect((await owner.patch(`/messages/${id}`, { topic: 'b', content: 'x' })).status).toBe(400);
    expect(await head()).toBe(before);
  });

  it('of several concurrent ones moves each message once', async () => {
    const to = await channel();
    const ids = [await post(to, 'a'), await post(to, 'a'), await post(to, 'a')];
    const answers = await Promise.all([
      ...ids.map((id, n) => edit(id, { topic: `b${n}`, propagate_mode: 'change_all' })),
      post(to, 'a').then(() => ({ status: 200 })),
    ]);
    for (const { status } of answers) expect([200, 400]).toContain(status);
    expect(Object.keys(await subjects(to))).toHaveLength(4);
    const known = Object.values(await subjects(to));
    expect(known.filter((name) => name.startsWith('b')).length).toBeGreaterThanOrEqual(3);
  });
});

describe('a topic that moves again and again', () => {
  it('sends each move with its messages of that time, to users who received any of them, also late', async () => {
    const outsider = await server.person();
    const to = await channel();
    const ids = [await post(to, 'one'), await post(to, 'one'), await post(to, 'one')] as const;
    const [first, second, third] = ids;
    const [mine, theirs] = [await listen(member), await listen(outsider)];
    const rename = async (topic: string) => granted(await edit(first, { topic, propagate_mode: 'change_all' }));
    await rename('two');
    const fourth = await post(to, 'two');
    granted(await edit(second, { topic: 'elsewhere', propagate_mode: 'change_one' }));
    await rename('three');
    granted(await outsider.post(`/messages/${fourth}/reactions`, { emoji_name: 'tada' }));
    await rename('four');
    granted(await owner.delete(`/messages/${third}`));
    await rename('five');
    granted(await edit(second, { topic: 'five', propagate_mode: 'change_one' }));
    await rename('six');
    granted(await owner.delete(`/messages/${fourth}`));
    await rename('seven');
    const renamed = [
      ['four', first, third, fourth],
      ['five', first, fourth],
      ['six', first, second, fourth],
    ];
    expect(await received(outsider, theirs)).toEqual(renamed);
    expect(await received(member, mine)).toEqual([
      ['two', ...ids],
      ['elsewhere', second],
      ['three', first, third, fourth],
      ...renamed.slice(0, 2),
      ['five', second],
      ...renamed.slice(2),
      ['seven', first, second],
    ]);
  });

  const listen = (by: Person) => by.register({ event_types: ['update_message'], fetch_event_types: [] });
  const received = async (by: Person, queue: Awaited<ReturnType<typeof listen>>) =>
    (await by.events(queue)).map(({ subject, message_ids }) => [subject, ...(message_ids as number[])]);
});
