import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const [INHERIT, MUTED, UNMUTED, FOLLOWED] = [0, 1, 2, 3];
const [PARTICIPATION, SEND, INITIATION, NEVER] = [1, 2, 3, 4];

let server: TestServer;
let owner: Person;
let ann: Person;
let channel: number;
let quiet: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
});
afterAll(() => server.close());
beforeEach(async () => {
  ann = await server.person();
  channel = await server.channel(owner, { subscribers: [owner, ann] });
  quiet = await server.channel(owner, { subscribers: [owner, ann] });
  granted(await ann.patch(`/users/me/subscriptions/${quiet}`, { property: 'is_muted', value: true }));
});

const say = async (by: Person, to: number, topic: string, content = 'hello') =>
  granted(await by.post<Params>('/messages', { type: 'channel', to, topic, content }))[
    'automatic_new_visibility_policy'
  ];
const settings = async (by: Person, follow: number | undefined, unmute: number | undefined, more: Params = {}) =>
  granted(
    await by.patch('/settings', {
      automatically_follow_topics_policy: follow,
      automatically_unmute_topics_in_muted_streams_policy: unmute,
      ...more,
    }),
  );
const set = async (by: Person, stream_id: number, topic: string, visibility_policy: number | undefined) =>
  granted(await by.post('/user_topics', { stream_id, topic, visibility_policy }));
const policy = async (by: Person, to: number, topic: string) => {
  const state = await by.register({ fetch_event_types: ['user_topic'], event_types: [] });
  const topics = state['user_topics'] as { stream_id: number; topic_name: string; visibility_policy: number }[];
  return topics.find((one) => one.stream_id === to && one.topic_name === topic)?.visibility_policy ?? INHERIT;
};

describe('a topic with a reaction', () => {
  it('gets the policy for participation, once', async () => {
    const { id } = granted(
      await owner.post<{ id: number }>('/messages', { type: 'channel', to: channel, topic: 'seen', content: 'hello' }),
    );
    const react = (emoji_name: string) => ann.post(`/messages/${id}/reactions`, { emoji_name });
    granted(await react('tada'));
    expect(await policy(ann, channel, 'seen')).toBe(INHERIT);
    await settings(ann, PARTICIPATION, NEVER);
    const events = await ann.receive(() => react('+1'), { event_types: ['reaction', 'user_topic'] });
    expect(events.map(({ type }) => type).sort()).toEqual(['reaction', 'user_topic']);
    expect(await policy(ann, channel, 'seen')).toBe(FOLLOWED);
    expect(await ann.receive(() => react('heart'), 'user_topic')).toEqual([]);
  });
});

describe('a topic with a new message', () => {
  it('is followed by its creator only, with an event before the message', async () => {
    const other = await owner.register({ event_types: ['user_topic'], fetch_event_types: [] });
    const events = await ann.receive(async () => expect(await say(ann, channel, 'New')).toBe(FOLLOWED), {
      event_types: ['message', 'user_topic'],
    });
    expect(events).toMatchObject([
      { type: 'user_topic', stream_id: channel, topic_name: 'New', visibility_policy: FOLLOWED },
      { type: 'message', message: { subject: 'New' } },
    ]);
    expect(await owner.events(other)).toEqual([]);
    expect(await say(owner, channel, 'new')).toBeUndefined();
    expect(await say(ann, channel, 'New')).toBeUndefined();
    expect(await policy(owner, channel, 'new')).toBe(INHERIT);
  });

  it('is unmuted by senders in a muted channel, and followed by its creator', async () => {
    await say(owner, quiet, 'theirs');
    expect(await say(ann, quiet, 'theirs')).toBe(UNMUTED);
    expect(await say(ann, quiet, 'THEIRS')).toBeUndefined();
    expect(await say(ann, quiet, 'mine')).toBe(FOLLOWED);
    granted(await ann.patch(`/users/me/subscriptions/${quiet}`, { property: 'is_muted', value: false }));
    await say(owner, quiet, 'third');
    expect(await say(ann, quiet, 'third')).toBeUndefined();
  });

  it.each([
    // follow, unmute, muted channel, begun by another, before, becomes
    [PARTICIPATION, NEVER, false, true, INHERIT, FOLLOWED],
    [SEND, NEVER, false, true, INHERIT, FOLLOWED],
    [SEND, NEVER, false, true, MUTED, FOLLOWED],
    [SEND, NEVER, false, true, UNMUTED, FOLLOWED],
    [SEND, SEND, true, true, INHERIT, FOLLOWED],
    [INITIATION, SEND, false, true, INHERIT, undefined],
    [INITIATION, NEVER, false, false, INHERIT, FOLLOWED],
    [INITIATION, NEVER, false, false, MUTED, undefined],
    [NEVER, NEVER, true, false, INHERIT, undefined],
    [NEVER, INITIATION, true, false, INHERIT, UNMUTED],
    [NEVER, INITIATION, true, true, INHERIT, undefined],
    [NEVER, PARTICIPATION, true, true, MUTED, UNMUTED],
    [NEVER, SEND, false, false, INHERIT, undefined],
    [SEND, SEND, true, true, FOLLOWED, undefined],
  ])(
    'follow %d, unmute %d, in a muted channel %s, begun by another %s, policy %s: becomes %s',
    async (follow, unmute, isMuted, isBegun, before, becomes) => {
      const to = isMuted ? quiet : channel;
      await settings(ann, follow, unmute);
      if (isBegun) await say(owner, to, 'x');
      if (before !== INHERIT) await set(ann, to, 'x', before);
      expect(await say(ann, to, 'x')).toBe(becomes);
      expect(await policy(ann, to, 'x')).toBe(becomes ?? before);
    },
  );

  it('is not changed for bots, nor by direct messages', async () => {
    const bot = await server.bot(owner);
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'x' }], principals: [bot.id] }));
    expect(await say(bot, channel, 'by a bot')).toBeUndefined();
    expect(await policy(bot, channel, 'by a bot')).toBe(INHERIT);
    const direct = granted(await ann.post('/messages', { type: 'direct', to: [owner.id], content: 'hello' }));
    expect(direct).not.toHaveProperty('automatic_new_visibility_policy');
  });

  it('does not change when the message is refused', async () => {
    granted(await owner.patch(`/streams/${channel}`, { topics_policy: 'disable_empty_topic' }));
    expect(await ann.post('/messages', { type: 'channel', to: channel, topic: '', content: 'hello' })).toMatchObject({
      status: 400,
    });
    expect(await policy(ann, channel, 'general chat')).toBe(INHERIT);
  });
});

describe('a topic created by a move', () => {
  const post = async (by: Person, to: number) =>
    granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'old', content: 'hello' })).id;
  /** Something of the old topic stays. */
  const takeOut = async (id: number, from: number, params: Params) => {
    await say(owner, from, 'old');
    granted(await owner.patch(`/messages/${id}`, { topic: 'new', propagate_mode: 'change_one', ...params }));
  };
  const eventsAfter = (by: Person, change: () => Promise<void>) => by.receive(change, { event_types: ['user_topic'] });

  it('is followed by the author of the message, if they may read it', async () => {
    const hidden = await server.channel(owner, { invite_only: true, subscribers: [owner, ann] });
    for (const to of [channel, hidden]) {
      const id = await post(ann, channel);
      const received = await eventsAfter(ann, () => takeOut(id, channel, to === channel ? {} : { stream_id: to }));
      expect(received).toMatchObject([{ stream_id: to, topic_name: 'new', visibility_policy: FOLLOWED }]);
      expect(await policy(ann, to, 'new')).toBe(FOLLOWED);
    }
  });

  it('is followed by an author with access to a private channel through a group', async () => {
    const members = { name: `readers beside ${channel}`, description: '', members: [ann.id] };
    const { group_id } = granted(await owner.post<{ group_id: number }>('/user_groups/create', members));
    const to = await server.channel(owner, { invite_only: true, subscribers: [owner], can_subscribe_group: group_id });
    const id = await post(ann, channel);
    expect(await eventsAfter(ann, () => takeOut(id, channel, { stream_id: to }))).toHaveLength(1);
  });

  it('is not followed by bots, nor by users without access', async () => {
    const [guest, bot] = [await server.person({ role: 'guest' }), await server.bot(owner)];
    const from = await server.channel(owner, { subscribers: [owner, ann, guest, bot] });
    const open = await server.channel(owner, { subscribers: [owner, bot] });
    const hidden = await server.channel(owner, { invite_only: true, subscribers: [owner, bot] });
    for (const [by, to] of [
      [ann, hidden],
      [guest, hidden],
      [guest, open],
      [bot, hidden],
    ] as const) {
      const id = await post(by, from);
      expect(await eventsAfter(by, () => takeOut(id, from, { stream_id: to, topic: `of ${by.id}` }))).toEqual([]);
      expect(await policy(by, to, `of ${by.id}`)).toBe(INHERIT);
    }
  });

  it('is not followed by an author who left its private channel', async () => {
    const { id: from, name } = await server.namedChannel(owner, { invite_only: true, subscribers: [owner, ann] });
    const id = await post(ann, from);
    granted(await ann.delete('/users/me/subscriptions', { subscriptions: [name] }));
    expect(await eventsAfter(ann, () => takeOut(id, from, {}))).toEqual([]);
    expect(await policy(ann, from, 'new')).toBe(INHERIT);
  });
});

describe('a topic with a mention of a user', () => {
  const call = (...people: Person[]) => people.map(({ id }) => `@**|${id}**`).join(' ');

  it('is followed by mentioned users with access, unless they muted or follow it, disabled this, or are bots', async () => {
    const [mentioned, muting, following, unmuting, refusing, outside] = await Promise.all(
      Array.from({ length: 6 }, () => server.person()),
    );
    const bot = await server.bot(owner);
    const all = [mentioned, muting, following, unmuting, refusing, bot] as Person[];
    const to = await server.channel(owner, { invite_only: true, subscribers: [owner, ...all] });
    await set(muting as Person, to, 'x', MUTED);
    await set(following as Person, to, 'x', FOLLOWED);
    await set(unmuting as Person, to, 'x', UNMUTED);
    await settings(refusing as Person, undefined, undefined, { automatically_follow_topics_where_mentioned: false });
    const queues = await Promise.all(
      [...all, outside as Person].map((one) => one.register({ event_types: ['user_topic'], fetch_event_types: [] })),
    );
    await say(owner, to, 'x', call(...all, outside as Person));
    const received = await Promise.all([...all, outside as Person].map((one, n) => one.events(queues[n]!)));
    const followed = expect.objectContaining({ topic_name: 'x', visibility_policy: FOLLOWED }) as unknown;
    expect(received).toEqual([[followed], [], [], [followed], [], [], []]);
    expect(await policy(muting as Person, to, 'x')).toBe(MUTED);
  });

  it('is not followed for wildcards and silent mentions', async () => {
    await say(owner, channel, 'x', `@**all** @_**|${ann.id}**`);
    expect(await policy(ann, channel, 'x')).toBe(INHERIT);
  });

  it('sends the event before the message, and once to a sender who mentions themselves', async () => {
    const types = { event_types: ['message', 'user_topic'] };
    const events = await ann.receive(() => say(owner, channel, 'x', call(ann)), types);
    expect(events.map(({ type }) => type)).toEqual(['user_topic', 'message']);
    const own = await ann.receive(() => say(ann, channel, 'y', call(ann)), types);
    expect(own.map(({ type }) => type)).toEqual(['user_topic', 'message']);
  });
});
