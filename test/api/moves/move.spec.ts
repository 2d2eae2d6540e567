import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let open: number;
let next: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  other = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, member, other] });
  next = await server.channel(owner, { name: 'next', subscribers: [owner, member, other] });
});
afterAll(() => server.close());

const post = async (by: Person, topic: string, params: Params = {}) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic, content: 'hello', ...params }))
    .id;
/** Without the notice of a move, which is a message too. */
const move = (by: Person, id: number, params: Params) =>
  by.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params });
const inTopic = async (by: Person, channel: number, topic: string) => {
  const narrow = [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: topic },
  ];
  const params = { narrow, anchor: 'newest', num_before: 100, num_after: 0, allow_empty_topic_name: true };
  const { messages } = granted(
    await by.get<{ messages: { id: number; subject: string; stream_id: number; display_recipient: string }[] }>(
      '/messages',
      params,
    ),
  );
  return messages;
};
const ids = async (channel: number, topic: string) => (await inTopic(other, channel, topic)).map(({ id }) => id);
const topicsOf = async (by: Person, channel: number) =>
  granted(await by.get<{ topics: { name: string; max_id: number }[] }>(`/users/me/${channel}/topics`)).topics;

let count = 0;
/** Three messages of one topic. */
const three = async (name = `topic ${++count}`) => {
  const all = [await post(member, name), await post(other, name), await post(owner, name)] as const;
  return { name, all };
};

describe('moving messages within a channel', () => {
  it('moves a single message by default', async () => {
    const { name, all } = await three();
    const { status, body } = await move(member, all[1], { topic: `${name}b` });
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', detached_uploads: [] } });
    expect(await ids(open, name)).toEqual([all[0], all[2]]);
    expect(await inTopic(other, open, `${name}b`)).toMatchObject([
      { id: all[1], subject: `${name}b`, stream_id: open },
    ]);
  });

  it.each([
    ['change_one', 0, [0]],
    ['change_one', 2, [2]],
    ['change_later', 0, [0, 1, 2]],
    ['change_later', 1, [1, 2]],
    ['change_later', 2, [2]],
    ['change_all', 0, [0, 1, 2]],
    ['change_all', 1, [0, 1, 2]],
    ['change_all', 2, [0, 1, 2]],
  ] as const)('by %s of message %d moves %j', async (propagate_mode, from, moved) => {
    const { name, all } = await three();
    granted(await move(member, all[from], { topic: `${name}b`, propagate_mode }));
    expect(await ids(open, `${name}b`)).toEqual(moved.map((n) => all[n]));
    expect(await ids(open, name)).toEqual(all.filter((id) => !moved.some((n) => all[n] === id)));
  });
});

describe('moving messages to another channel', () => {
  it.each(['change_one', 'change_later', 'change_all'] as const)('moves the requested messages by %s', async (mode) => {
    const { name, all } = await three();
    granted(await move(member, all[1], { stream_id: next, propagate_mode: mode }));
    const moved = { change_one: [all[1]], change_later: [all[1], all[2]], change_all: [...all] }[mode];
    expect(await ids(next, name)).toEqual(moved);
    expect(await ids(open, name)).toEqual(all.filter((id) => !moved.includes(id)));
    for (const message of await inTopic(other, next, name)) {
      expect(message).toMatchObject({ stream_id: next, display_recipient: 'next', subject: name });
    }
    expect((await topicsOf(other, next)).filter((topic) => topic.name === name)).toEqual([
      { name, max_id: moved.at(-1) },
    ]);
  });
});
