import { DAY_MS } from '@annals/kernel/domain';
import { ActivityCounter } from '@annals/messages';
import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
});
afterAll(() => server.close());

const post = async (by: Person, to: unknown, params: Params = {}) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'lunch', content: 'x', ...params }))
    .id;
const write = (by: Person, to: Person) => post(by, [to.id], { type: 'direct' });
const remove = async (by: Person, ...ids: number[]) => {
  for (const id of ids) granted(await by.delete(`/messages/${id}`));
};
const nameOf = async (channel: number) =>
  granted(await owner.get<{ stream: { name: string } }>(`/streams/${channel}`)).stream.name;
const summaryOf = (events: readonly WireEvent[]) =>
  events.map(({ type, message, message_id, messages }) => [
    type,
    (message as { id: number } | undefined)?.id ?? message_id ?? messages,
  ]);

describe('a late delivery about a deleted message', () => {
  const types = ['message', 'update_message', 'update_message_flags', 'delete_message'];
  const eventsOf = async (by: Person, act: () => Promise<unknown>) =>
    summaryOf(await by.receive(act, { event_types: types }));

  it('has its deletion only, not its creation and changes', async () => {
    const to = await server.channel(owner, { subscribers: [owner, ann] });
    const ids: number[] = [];
    const received = await eventsOf(ann, async () => {
      ids.push(await post(owner, to), await post(owner, to));
      granted(await owner.patch(`/messages/${ids[0]}`, { content: 'y' }));
      await remove(owner, ids[0] ?? 0);
    });
    expect(received).toEqual([
      ['message', ids[1]],
      ['delete_message', ids[0]],
    ]);
  });

  it('has both while the message exists', async () => {
    const to = await server.channel(owner, { subscribers: [owner, ann] });
    const queue = await ann.register({ event_types: types, fetch_event_types: [] });
    const id = await post(owner, to);
    const before = await ann.events(queue);
    await remove(owner, id);
    const last_event_id = before.at(-1)?.id ?? 0;
    const after = await ann.events({ ...queue, last_event_id });
    expect([summaryOf(before), summaryOf(after)]).toEqual([[['message', id]], [['delete_message', id]]]);
  });

  it.each([false, true])(
    'has the read flags of users who had left the channel; a private one: %s',
    async (isPrivate) => {
      const to = await server.channel(owner, { subscribers: [owner, ann], invite_only: isPrivate });
      const mentioned = await post(owner, to, { content: 'hello @**Bob**' });
      granted(
        await owner.post('/users/me/subscriptions', {
          subscriptions: [{ name: await nameOf(to) }],
          principals: [bob.id],
        }),
      );
      const [kept, removed, own] = [
        await post(owner, to),
        await post(owner, to),
        await post(bob, to, { read_by_sender: true }),
      ];
      const leave = async () => {
        granted(
          await owner.delete('/users/me/subscriptions', {
            subscriptions: [await nameOf(to)],
            principals: [ann.id, bob.id],
          }),
        );
        await remove(owner, removed, mentioned, own);
      };
      const [annQueue, bobQueue] = [
        await ann.register({ event_types: types, fetch_event_types: [] }),
        await bob.register({ event_types: types, fetch_event_types: [] }),
      ];
      await leave();
      const deleted = isPrivate ? [] : [removed, mentioned, own].map((id) => ['delete_message', id]);
      expect(summaryOf(await ann.events(annQueue))).toEqual([
        ['update_message_flags', [mentioned, kept, removed, own]],
        ...deleted,
      ]);
      expect(summaryOf(await bob.events(bobQueue))).toEqual([['update_message_flags', [kept, removed]], ...deleted]);
    },
  );
});

describe('a deleted message', () => {
  it('is in no list, and neither is its topic', async () => {
    const to = await server.channel(owner, { subscribers: [owner, ann] });
    const [kept, removed, direct] = [
      await post(owner, to),
      await post(owner, to, { topic: 'dinner' }),
      await write(owner, ann),
    ];
    await remove(owner, removed, direct);
    const asked = { narrow: [{ operator: 'channel', operand: to }], anchor: 'newest', num_before: 10 };
    const found = granted(await ann.get<{ messages: { id: number }[] }>('/messages', asked));
    expect(found.messages.map(({ id }) => id)).toEqual([kept]);
    const byId = granted(await ann.get<{ messages: object[] }>('/messages', { message_ids: [removed, direct] }));
    expect(byId.messages).toEqual([]);
    expect((await ann.get(`/messages/${removed}`)).status).toBe(400);
    const { topics } = granted(await ann.get<{ topics: object[] }>(`/users/me/${to}/topics`));
    expect(topics).toEqual([{ name: 'lunch', max_id: kept }]);
    const state = await ann.register({
      fetch_event_types: ['message', 'update_message_flags', 'recent_private_conversations'],
    });
    expect(state).toMatchObject({ max_message_id: kept, recent_private_conversations: [] });
    expect(JSON.stringify(state['unread_msgs'])).not.toContain(String(direct));
  });

  it('is replaced by the one before as the newest of its conversation', async () => {
    const [first, second] = [await write(bob, ann), await write(bob, ann)];
    await remove(bob, second);
    const state = await ann.register({ fetch_event_types: ['recent_private_conversations'] });
    expect(state['recent_private_conversations']).toEqual([{ max_message_id: first, user_ids: [bob.id] }]);
  });

  it('does not allow to continue a conversation that the user may not start', async () => {
    const initiators = { new: { direct_members: [owner.id], direct_subgroups: [] } };
    const everyone = (await owner.register({ fetch_event_types: ['realm'] }))['realm_direct_message_initiator_group'];
    const cat = await server.person();
    const [first, second] = [await write(ann, cat), await write(cat, ann)];
    granted(await owner.patch('/realm', { direct_message_initiator_group: initiators }));
    await remove(ann, first);
    const again = { type: 'direct', to: [cat.id], content: 'still here?' };
    const third = granted(await ann.post<{ id: number }>('/messages', again)).id;
    await remove(cat, second);
    await remove(ann, third);
    expect(await ann.post('/messages', again)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    granted(await owner.post('/messages', { ...again, to: [ann.id, cat.id] }));
    granted(await owner.patch('/realm', { direct_message_initiator_group: { new: everyone } }));
    granted(await ann.post('/messages', again));
  });

  it('counts as traffic', async () => {
    const to = await server.channel(owner);
    server.clock.advance(8 * DAY_MS);
    const ids = [];
    for (let n = 0; n < 6; n++) ids.push(await post(owner, to));
    await remove(owner, ...ids.slice(0, 4));
    server.clock.advance(DAY_MS);
    await new ActivityCounter(server.kernel).sweep();
    const { stream } = granted(await owner.get<{ stream: { stream_weekly_traffic: number } }>(`/streams/${to}`));
    // Six messages in nine days.
    expect(stream.stream_weekly_traffic).toBe(5);
  });
});
