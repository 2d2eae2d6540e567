import { TopicPolicies } from '@annals/channels';
import type { ChannelId } from '@annals/kernel/domain';
import type { SystemActor, Work } from '@annals/kernel';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const [INHERIT, MUTED, UNMUTED, FOLLOWED] = [0, 1, 2, 3];

let server: TestServer;
let owner: Person;
let ann: Person;
let bob: Person;
let here: ChannelId;
let there: ChannelId;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
});
afterAll(() => server.close());
beforeEach(async () => {
  [ann, bob] = [await server.person(), await server.person()];
  here = await server.channel(owner, { subscribers: [owner, ann, bob] });
  there = await server.channel(owner, { subscribers: [owner, ann, bob] });
});

const policies = () => server.apis[0]!.app.get(TopicPolicies);
function act(change: (work: Work) => Promise<void>): Promise<void> {
  const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000002', address: null };
  const by = { realmId: 1, userId: null, origin } as SystemActor;
  return server.kernel.work.run(by, change);
}
const move = (from: string, to: string, targetHadMessages: boolean, target: ChannelId = here) =>
  act((work) =>
    policies().moved(work, {
      from: { channelId: here, name: from },
      to: { channelId: target, name: to },
      targetHadMessages,
    }),
  );
const set = async (by: Person, topic: string, visibility_policy: number | undefined, stream_id = here) =>
  granted(await by.post('/user_topics', { stream_id, topic, visibility_policy }));
const chosen = async (by: Person) => {
  const state = await by.register({ fetch_event_types: ['user_topic'], event_types: [] });
  const topics = state['user_topics'] as { stream_id: number; topic_name: string; visibility_policy: number }[];
  return topics
    .filter(({ stream_id }) => stream_id === here || stream_id === there)
    .map(({ stream_id, topic_name, visibility_policy: policy }) => [stream_id, topic_name, policy]);
};
const both = { event_types: ['user_topic'] };

describe('policies for a topic', () => {
  it('move with the whole topic, with events of both topics', async () => {
    await set(ann, 'Plans', FOLLOWED);
    await set(bob, 'plans', MUTED);
    let toBob: unknown = null;
    const old = await bob.register({ event_types: ['muted_topics'], fetch_event_types: [] });
    const toAnn = await ann.receive(async () => {
      toBob = await bob.receive(() => move('PLANS', 'More plans', false), both);
    }, both);
    const received = (policy: number | undefined) => [
      { type: 'user_topic', stream_id: here, topic_name: 'PLANS', visibility_policy: INHERIT },
      { type: 'user_topic', stream_id: here, topic_name: 'More plans', visibility_policy: policy },
    ];
    expect(toAnn).toMatchObject(received(FOLLOWED));
    expect(toBob).toMatchObject(received(MUTED));
    expect(await bob.events(old)).toMatchObject([
      { muted_topics: [[expect.any(String), 'More plans', expect.any(Number)]] },
    ]);
    expect(await chosen(ann)).toEqual([[here, 'More plans', FOLLOWED]]);
    expect(await chosen(bob)).toEqual([[here, 'More plans', MUTED]]);
  });

  it.each([
    // chosen for the topic that moves, for the one it becomes, and after, where that had messages and where not
    [INHERIT, MUTED, INHERIT, INHERIT],
    [INHERIT, UNMUTED, UNMUTED, INHERIT],
    [INHERIT, FOLLOWED, FOLLOWED, INHERIT],
    [MUTED, INHERIT, INHERIT, MUTED],
    [MUTED, MUTED, MUTED, MUTED],
    [MUTED, UNMUTED, UNMUTED, MUTED],
    [UNMUTED, MUTED, UNMUTED, UNMUTED],
    [UNMUTED, FOLLOWED, FOLLOWED, UNMUTED],
    [FOLLOWED, INHERIT, FOLLOWED, FOLLOWED],
    [FOLLOWED, UNMUTED, FOLLOWED, FOLLOWED],
  ])('combine %d and %d to %d with messages there, to %d without', async (from, to, merged, replaced) => {
    for (const [hadMessages, expected] of [
      [true, merged],
      [false, replaced],
    ] as const) {
      await set(ann, 'from', from);
      await set(ann, 'to', to);
      await move('from', 'to', hadMessages);
      expect(await chosen(ann)).toEqual(expected === INHERIT ? [] : [[here, 'to', expected]]);
      await set(ann, 'to', INHERIT);
    }
  });

  it('are removed for users who may not read the new channel', async () => {
    there = await server.channel(owner, { invite_only: true, subscribers: [owner, ann] });
    for (const one of [ann, bob]) await set(one, 'x', FOLLOWED);
    const toBob = await bob.receive(() => move('x', 'y', true, there), both);
    expect(toBob).toMatchObject([{ stream_id: here, topic_name: 'x', visibility_policy: INHERIT }]);
    expect(toBob).toHaveLength(1);
    expect(await chosen(ann)).toEqual([[there, 'y', FOLLOWED]]);
    expect(await chosen(bob)).toEqual([]);
  });

  it('are kept for users with access through a group', async () => {
    const group = { name: `readers of ${here}`, description: '', members: [bob.id] };
    const { group_id } = granted(await owner.post<{ group_id: number }>('/user_groups/create', group));
    there = await server.channel(owner, { invite_only: true, subscribers: [owner], can_subscribe_group: group_id });
    for (const one of [ann, bob]) await set(one, 'x', FOLLOWED);
    await move('x', 'x', false, there);
    expect(await chosen(ann)).toEqual([]);
    expect(await chosen(bob)).toEqual([[there, 'x', FOLLOWED]]);
  });

  it('are removed for users who lost access to the private channel: the new name is hidden from them', async () => {
    const [cat, guest] = [await server.person(), await server.person({ role: 'guest' })];
    const { group_id } = granted(
      await owner.post<{ group_id: number }>('/user_groups/create', {
        name: `readers in ${here}`,
        description: '',
        members: [cat.id],
      }),
    );
    const subscribers = [owner, ann, bob, cat, guest];
    const hidden = { invite_only: true, subscribers, can_subscribe_group: group_id };
    const { id: channel, name } = await server.namedChannel(owner, hidden);
    here = channel;
    const sent = await ann.post<{ id: number }>('/messages', {
      type: 'channel',
      to: here,
      topic: 'x',
      content: 'hello',
    });
    const { id } = granted(sent);
    for (const one of subscribers) await set(one, 'x', FOLLOWED);
    const leaving = { subscriptions: [name], principals: [bob.id, cat.id, guest.id] };
    granted(await owner.delete('/users/me/subscriptions', leaving));
    const people = [ann, bob, cat, guest];
    const queues = await Promise.all(people.map((one) => one.register({ ...both, fetch_event_types: [] })));
    granted(await owner.patch(`/messages/${id}`, { topic: 'y', propagate_mode: 'change_all' }));
    const received = await Promise.all(people.map((one, n) => one.events(queues[n]!)));
    const topics = received.map((events) => events.map((event) => [event['topic_name'], event['visibility_policy']]));
    const [carried, lost] = [
      [
        ['x', INHERIT],
        ['y', FOLLOWED],
      ],
      [['x', INHERIT]],
    ];
    expect(topics).toEqual([carried, lost, carried, lost]);
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [bob.id] }));
    expect(await chosen(ann)).toEqual([[here, 'y', FOLLOWED]]);
    expect(await chosen(bob)).toEqual([]);
  });

  it('move in a public channel for former subscribers, except guests', async () => {
    const guest = await server.person({ role: 'guest' });
    const { id: channel, name } = await server.namedChannel(owner, { subscribers: [owner, ann, guest] });
    here = channel;
    for (const one of [ann, guest]) await set(one, 'x', FOLLOWED);
    const leaving = { subscriptions: [name], principals: [ann.id, guest.id] };
    granted(await owner.delete('/users/me/subscriptions', leaving));
    const toGuest = await guest.receive(() => move('x', 'y', false), both);
    expect(toGuest.map((event) => [event['topic_name'], event['visibility_policy']])).toEqual([['x', INHERIT]]);
    expect(await chosen(ann)).toEqual([[here, 'y', FOLLOWED]]);
  });

  it('do not move when only the letter case changes, or without policies', async () => {
    await set(ann, 'case', FOLLOWED);
    expect(await ann.receive(() => move('case', 'CASE', true), both)).toEqual([]);
    expect(await ann.receive(() => move('nobody', 'nowhere', true), both)).toEqual([]);
    expect(await chosen(ann)).toEqual([[here, 'case', FOLLOWED]]);
  });

  it('are removed with the topic', async () => {
    await set(ann, 'x', FOLLOWED);
    await set(bob, 'X', MUTED);
    await set(bob, 'other', MUTED);
    const events = await bob.receive(() => act((work) => policies().dropped(work, { channelId: here, name: 'x' })));
    expect(events.map(({ type }) => type)).toEqual(['muted_topics', 'user_topic']);
    expect(events[0]).toMatchObject({ muted_topics: [[expect.any(String), 'other', expect.any(Number)]] });
    expect(events[1]).toMatchObject({ stream_id: here, visibility_policy: INHERIT });
    expect(await chosen(ann)).toEqual([]);
    expect(await chosen(bob)).toEqual([[here, 'other', MUTED]]);
    expect(await ann.receive(() => act((work) => policies().dropped(work, { channelId: here, name: 'x' })))).toEqual(
      [],
    );
  });

  it('of many users move with one event', async () => {
    const before = await server.kernel.fence.reach(1 as never);
    for (const one of [ann, bob, owner]) await set(one, 'x', UNMUTED);
    await move('x', 'y', true);
    expect(await server.kernel.fence.reach(1 as never)).toBe(before + 4);
  });
});
