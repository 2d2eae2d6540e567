import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
let open: number;
let secret: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person();
  guest = await server.person({ role: 'guest' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, member] });
  secret = await server.channel(owner, { name: 'secret', invite_only: true, subscribers: [owner] });
});
afterAll(() => server.close());

const bad = (msg?: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', ...(msg && { msg }) } });
const done = { status: 200, body: { result: 'success', msg: '' } };
const set = (by: Person, topic: unknown, visibility_policy: unknown, stream_id: unknown = open) =>
  by.post('/user_topics', { stream_id, topic, visibility_policy });
const mute = (by: Person, params: Params) => by.patch('/users/me/subscriptions/muted_topics', params);
const state = (by: Person, params: Params = {}) =>
  by.register({ fetch_event_types: ['user_topic'], event_types: [], ...params });
const chosen = async (by: Person, params?: Params) =>
  (await state(by, params))['user_topics'] as { stream_id: number; topic_name: string; visibility_policy: number }[];
const policyOf = async (by: Person, topic: string, channel = open) =>
  (await chosen(by)).find((one) => one.stream_id === channel && one.topic_name === topic)?.visibility_policy;
const mutedIn = async (by: Person, params: Params = {}) =>
  (await by.register({ fetch_event_types: ['muted_topics'], event_types: [], ...params }))['muted_topics'];
const now = () => Math.floor(server.clock.now() / 1000);

describe('POST /user_topics', () => {
  it.each([1, 2, 3, 0])('sets a topic to %d for the caller only, with or without messages', async (policy) => {
    let toOther: unknown = null;
    const events = await member.receive(
      async () => {
        toOther = await owner.receive(async () => expect(await set(member, 'Lunch', policy)).toMatchObject(done), {
          event_types: ['user_topic'],
        });
      },
      { event_types: ['user_topic'] },
    );
    const received = { stream_id: open, topic_name: 'Lunch', last_updated: now(), visibility_policy: policy };
    expect(events).toEqual([{ id: events[0]?.id, type: 'user_topic', ...received }]);
    expect(toOther).toEqual([]);
    expect(await chosen(member)).toEqual(policy === 0 ? [] : [received]);
    expect(await chosen(owner)).toEqual([]);
  });

  it('sends old clients the whole list first, and none to clients that request user_topic', async () => {
    granted(await set(member, 'One', 1));
    const act = async () => {
      granted(await set(member, 'Two', 1));
      granted(await set(member, 'One', 3));
    };
    const types = (event_types?: string[]) => (event_types ? { event_types } : {});
    const all = (await member.receive(act, types())).filter(({ type }) => type !== 'realm_user');
    expect(all).toMatchObject([
      {
        type: 'muted_topics',
        muted_topics: [
          ['open', 'One', now()],
          ['open', 'Two', now()],
        ],
      },
      { type: 'user_topic', topic_name: 'Two', visibility_policy: 1 },
      { type: 'muted_topics', muted_topics: [['open', 'Two', now()]] },
      { type: 'user_topic', topic_name: 'One', visibility_policy: 3 },
    ]);
    granted(await set(member, 'Two', 0));
    granted(await set(member, 'One', 0));
    const old = await member.receive(act, types(['muted_topics']));
    expect(old.map(({ type }) => type)).toEqual(['muted_topics', 'muted_topics']);
    granted(await set(member, 'Two', 0));
    granted(await set(member, 'One', 0));
    const both = await member.receive(act, types(['muted_topics', 'user_topic']));
    expect(both.map(({ type }) => type)).toEqual(['user_topic', 'user_topic']);
    expect(await mutedIn(member)).toEqual([['open', 'Two', now()]]);
    const asked = await member.register({ fetch_event_types: ['muted_topics', 'user_topic'] });
    expect(asked).not.toHaveProperty('muted_topics');
    const everything = await member.register();
    expect(everything['muted_topics']).toHaveLength(1);
    expect(everything['user_topics']).toHaveLength(2);
    granted(await set(member, 'Two', 0));
    granted(await set(member, 'One', 0));
  });

  it('compares topics in any letter case, shows the latest spelling, and sends nothing where nothing changes', async () => {
    granted(await set(member, 'Soup', 3));
    expect(await member.receive(() => set(member, 'SOUP', 3))).toEqual([]);
    granted(await set(member, 'SOUP', 1));
    expect(await chosen(member)).toMatchObject([{ topic_name: 'SOUP', visibility_policy: 1 }]);
    granted(await set(member, ' soup ', 0));
    expect(await chosen(member)).toEqual([]);
    expect(await member.receive(() => set(member, 'soup', 0))).toEqual([]);
  });

  it('accepts the display name of the empty topic, and shows it as the client supports it', async () => {
    granted(await set(member, 'general chat', 1));
    expect(await member.receive(() => set(member, '', 1))).toEqual([]);
    const knowing = { client_capabilities: { empty_topic_name: true } };
    expect((await chosen(member))[0]?.topic_name).toBe('general chat');
    expect((await chosen(member, knowing))[0]?.topic_name).toBe('');
    expect(await mutedIn(member)).toEqual([['open', 'general chat', now()]]);
    expect(await mutedIn(member, knowing)).toEqual([['open', '', now()]]);
    const types = { event_types: ['user_topic'] };
    const received = async (more: Params, policy: number) =>
      (await member.receive(() => set(member, '', policy), { ...types, ...more }))[0]?.['topic_name'];
    expect(await received({}, 2)).toBe('general chat');
    expect(await received(knowing, 0)).toBe('');
    granted(await set(member, '(no topic)', 1));
    expect((await chosen(member, knowing))[0]?.topic_name).toBe('(no topic)');
    granted(await set(member, '(no topic)', 0));
  });

  it('requires access to the content, except to remove a policy', async () => {
    const unknown = await set(member, 'x', 1, 4711);
    expect(unknown).toMatchObject(bad());
    for (const policy of [1, 2, 3]) {
      expect((await set(member, 'x', policy, secret)).body).toEqual(unknown.body);
      expect((await set(guest, 'x', policy, open)).body).toEqual(unknown.body);
    }
    expect(await set(member, 'x', 0, secret)).toMatchObject(done);
    expect(await set(guest, 'x', 0, open)).toMatchObject(done);
    expect(await set(member, 'x', 0, 4711)).toMatchObject(bad());
    expect(await chosen(guest)).toEqual([]);
    const outsider = await server.person();
    expect(await set(outsider, 'x', 3, open)).toMatchObject(done);
    expect(await set(owner, 'x', 3, secret)).toMatchObject(done);
    const admin = await server.person({ role: 'administrator' });
    expect((await set(admin, 'x', 1, secret)).body).toEqual(unknown.body);
  });

  it('lets former subscribers remove their policies, and ignores archived channels', async () => {
    const ann = await server.person();
    const channel = await server.channel(owner, { name: 'hidden', invite_only: true, subscribers: [owner, ann] });
    granted(await set(ann, 'plans', 3, channel));
    granted(await set(ann, 'noise', 1, channel));
    expect(await mutedIn(ann)).toEqual([['hidden', 'noise', now()]]);
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['hidden'], principals: [ann.id] }));
    granted(await owner.patch(`/streams/${channel}`, { new_name: 'very hidden' }));
    expect(await mutedIn(ann)).toEqual([]);
    expect(await chosen(ann)).toHaveLength(2);
    const types = { event_types: ['muted_topics'] };
    const received = await ann.receive(() => set(ann, 'plans', 0, channel), types);
    expect(received).toMatchObject([{ type: 'muted_topics', muted_topics: [] }]);
    granted(await owner.delete(`/streams/${open}`));
    expect(await set(member, 'old', 1)).toMatchObject(done);
    expect(await mutedIn(member)).toEqual([]);
    const knowing = { client_capabilities: { archived_channels: true } };
    expect(await mutedIn(member, knowing)).toEqual([['open', 'old', now()]]);
    granted(await set(member, 'old', 0));
    granted(await owner.patch(`/streams/${open}`, { is_archived: false }));
  });

  it.each<[string, Params]>([
    ['no channel', { topic: 'x', visibility_policy: 1 }],
    ['no topic', { stream_id: 1, visibility_policy: 1 }],
    ['no policy', { stream_id: 1, topic: 'x' }],
    ['an unknown policy', { stream_id: 1, topic: 'x', visibility_policy: 4 }],
    ['a negative policy', { stream_id: 1, topic: 'x', visibility_policy: -1 }],
    ['a policy in words', { stream_id: 1, topic: 'x', visibility_policy: 'muted' }],
    ['a fraction', { stream_id: 1, topic: 'x', visibility_policy: 1.5 }],
    ['a name for an id', { stream_id: 'open', topic: 'x', visibility_policy: 1 }],
    ['a topic that is too long', { stream_id: 1, topic: 'x'.repeat(61), visibility_policy: 1 }],
    ['a control character', { stream_id: 1, topic: 'a\u0007b', visibility_policy: 1 }],
  ])('refuses %s and changes nothing', async (_, params) => {
    const before = await chosen(member);
    const known = 'stream_id' in params && params['stream_id'] === 1 ? { ...params, stream_id: open } : params;
    const { status, body } = await member.post('/user_topics', known);
    expect(status).toBe(400);
    expect(body.code).toMatch(/^(BAD_REQUEST|REQUEST_VARIABLE_MISSING)$/);
    expect(await chosen(member)).toEqual(before);
  });

  it('accepts a topic of exactly sixty characters', async () => {
    const topic = '😀'.repeat(60);
    expect(await set(member, topic, 1)).toMatchObject(done);
    expect(await policyOf(member, topic)).toBe(1);
    granted(await set(member, topic, 0));
  });
});

describe('PATCH /users/me/subscriptions/muted_topics', () => {
  it.each([
    ['id', () => ({ stream_id: open })],
    ['name, whatever its letter case', () => ({ stream: 'OPEN' })],
  ])('mutes and unmutes a topic of a channel by its %s, without an error for no change', async (_, channel) => {
    const types = { event_types: ['user_topic'] };
    const received = (op: string) =>
      member.receive(
        async () => expect(await mute(member, { ...channel(), topic: 'Noise', op })).toMatchObject(done),
        types,
      );
    expect(await received('add')).toMatchObject([{ topic_name: 'Noise', visibility_policy: 1, stream_id: open }]);
    expect(await received('add')).toEqual([]);
    expect(await received('remove')).toMatchObject([{ topic_name: 'Noise', visibility_policy: 0 }]);
    expect(await received('remove')).toEqual([]);
  });

  it('requires a subscription, and answers as for an unknown channel', async () => {
    const outsider = await server.person();
    for (const op of ['add', 'remove']) {
      const unknown = await mute(member, { stream_id: 4711, topic: 'x', op });
      expect(unknown).toMatchObject(bad());
      expect((await mute(outsider, { stream_id: open, topic: 'x', op })).body).toEqual(unknown.body);
      expect((await mute(outsider, { stream: 'open', topic: 'x', op })).body).toEqual(unknown.body);
      expect((await mute(member, { stream_id: secret, topic: 'x', op })).body).toEqual(unknown.body);
      expect((await mute(member, { stream: 'secret', topic: 'x', op })).body).toEqual(unknown.body);
      expect((await mute(member, { stream: 'nowhere', topic: 'x', op })).body).toEqual(unknown.body);
    }
    expect(await chosen(outsider)).toEqual([]);
  });

  it('requires exactly one name of the channel', async () => {
    expect(await mute(member, { topic: 'x', op: 'add' })).toMatchObject(bad());
    expect(await mute(member, { stream_id: open, stream: 'open', topic: 'x', op: 'add' })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', parameters: 'stream_id, stream' },
    });
  });

  it.each<[string, Params, string]>([
    ['another op', { topic: 'x', op: 'toggle' }, 'BAD_REQUEST'],
    ['no op', { topic: 'x' }, 'REQUEST_VARIABLE_MISSING'],
    ['no topic', { op: 'add' }, 'REQUEST_VARIABLE_MISSING'],
    ['a topic that is too long', { topic: 'x'.repeat(61), op: 'add' }, 'BAD_REQUEST'],
  ])('refuses %s', async (_, params, code) => {
    expect(await mute(member, { stream_id: open, ...params })).toMatchObject({ status: 400, body: { code } });
    expect(await chosen(member)).toEqual([]);
  });

  it('accepts the empty topic, also by its display name', async () => {
    granted(await mute(member, { stream_id: open, topic: '', op: 'add' }));
    expect(await policyOf(member, 'general chat')).toBe(1);
    granted(await mute(member, { stream_id: open, topic: 'general chat', op: 'remove' }));
    expect(await chosen(member)).toEqual([]);
  });
});
