import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let bob: Person;
let guest: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
  guest = await server.person({ name: 'Guy', role: 'guest' });
});
afterAll(() => server.close());

const TYPES = ['delete_message', 'stream'];
const NEW = { event_types: TYPES, client_capabilities: { bulk_message_deletion: true, empty_topic_name: true } };
const OLD = { event_types: TYPES };

const post = async (by: Person, to: unknown, params: Params = {}) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'Lunch', content: 'x', ...params }))
    .id;
const remove = async (by: Person, id: number) => granted(await by.delete(`/messages/${id}`));
const bare = (events: readonly WireEvent[]) => events.map(({ id: _, ...event }) => event);

/** The client events of an act for each of these users, without their ids. */
async function eventsForAll(act: () => Promise<unknown>, listeners: readonly (readonly [Person, Params])[]) {
  const queues = await Promise.all(
    listeners.map(([by, request]) => by.register({ fetch_event_types: [], ...request })),
  );
  await act();
  const received = [];
  for (const [n, [by]] of listeners.entries()) {
    const queue = queues[n];
    if (queue) received.push(bare(await by.events(queue)));
  }
  return received;
}

const deletionOf = (stream_id: number, message_ids: readonly number[], topic = 'Lunch') => ({
  type: 'delete_message',
  message_type: 'stream',
  stream_id,
  topic,
  message_ids,
});
const first = async (stream_id: number, value: number | null) => {
  const { stream } = granted(await owner.get<{ stream: { name: string } }>(`/streams/${stream_id}`));
  return { type: 'stream', op: 'update', property: 'first_message_id', stream_id, name: stream.name, value };
};
const firstMessage = async (id: number) =>
  granted(await owner.get<{ stream: { first_message_id: number | null } }>(`/streams/${id}`)).stream.first_message_id;

const joining = async (id: number, who: Person) => {
  const { stream } = granted(await owner.get<{ stream: { name: string } }>(`/streams/${id}`));
  return { subscriptions: [{ name: stream.name }], principals: [who.id] };
};

describe('delete_message', () => {
  it('is sent to subscribers, in bulk or one by one as the client supports it', async () => {
    const to = await server.channel(owner, { subscribers: [owner, ann, guest] });
    await post(ann, to);
    const id = await post(ann, to);
    const [asList, asOne, outside] = await eventsForAll(
      () => remove(ann, id),
      [
        [guest, NEW],
        [guest, OLD],
        [bob, NEW],
      ],
    );
    expect(asList).toEqual([deletionOf(to, [id])]);
    const { message_ids: _, ...common } = deletionOf(to, []);
    expect(asOne).toEqual([{ ...common, message_id: id }]);
    expect(outside).toEqual([]);
  });

  it('names the empty topic as the client supports it, and a topic in its own letter case', async () => {
    const to = await server.channel(owner);
    await post(owner, to, { topic: 'keeps the channel' });
    const ids = [await post(owner, to, { topic: '' }), await post(owner, to, { topic: 'LUNCH' })];
    const listeners = [
      [owner, NEW],
      [owner, OLD],
    ] as const;
    const received = await eventsForAll(async () => {
      for (const id of ids) await remove(owner, id);
    }, listeners);
    expect(received.map((events) => events.map(({ topic }) => topic))).toEqual([
      ['', 'LUNCH'],
      ['general chat', 'LUNCH'],
    ]);
  });

  it('is sent once for a deleted topic, in any letter cases', async () => {
    const to = await server.channel(owner, { subscribers: [owner, ann] });
    await post(owner, to, { topic: 'keeps the channel' });
    const ids = [];
    for (const topic of ['lunch', 'Lunch', 'lunch', 'LUNCH']) ids.push(await post(owner, to, { topic }));
    const whole = () => owner.post(`/streams/${to}/delete_topic`, { topic_name: 'Lunch' });
    const [deletions] = await eventsForAll(whole, [[ann, NEW]]);
    expect(deletions).toEqual([deletionOf(to, ids, expect.stringMatching(/^lunch$/i) as string)]);
  });

  it('is sent once for each topic with protected history, with the messages that the user received', async () => {
    const to = await server.channel(owner, {
      ...{ invite_only: true, history_public_to_subscribers: false, subscribers: [owner] },
    });
    await post(owner, to, { topic: 'keeps the channel' });
    await post(owner, to, { topic: 'LUNCH' });
    granted(await owner.post('/users/me/subscriptions', await joining(to, ann)));
    const ids = [await post(owner, to, { topic: 'lunch' }), await post(owner, to, { topic: 'LUNCH' })];
    const whole = () => owner.post(`/streams/${to}/delete_topic`, { topic_name: 'lunch' });
    const [deletions] = await eventsForAll(whole, [[ann, { ...NEW, event_types: ['delete_message'] }]]);
    expect(deletions).toEqual([deletionOf(to, ids, expect.stringMatching(/^lunch$/i) as string)]);
  });

  it('contains only the type for direct messages', async () => {
    const id = await post(ann, [bob.id], { type: 'direct' });
    const event = { type: 'delete_message', message_type: 'private' };
    const received = await eventsForAll(
      () => remove(ann, id),
      [
        [bob, NEW],
        [ann, OLD],
        [owner, NEW],
      ],
    );
    expect(received).toEqual([[{ ...event, message_ids: [id] }], [{ ...event, message_id: id }], []]);
  });

  it('is sent to recipients and to the actor, as long as they can read the channel', async () => {
    const to = await server.channel(owner, { subscribers: [owner, ann, bob, guest] });
    const { stream } = granted(await owner.get<{ stream: { name: string } }>(`/streams/${to}`));
    await post(owner, to);
    const id = await post(guest, to, { content: '@**Ann** look' });
    granted(
      await owner.delete('/users/me/subscriptions', {
        subscriptions: [stream.name],
        principals: [owner.id, ann.id, guest.id],
      }),
    );
    const listeners = [owner, ann, bob, guest].map((by) => [by, NEW] as const);
    const received = await eventsForAll(() => remove(owner, id), listeners);
    // The guest reads public channels as a subscriber only.
    expect(received).toEqual([[deletionOf(to, [id])], [deletionOf(to, [id])], [deletionOf(to, [id])], []]);
    const another = await post(owner, to, { content: '@**Ann** look' });
    const unseen = await post(bob, to);
    for (const [message, recipients] of [
      [another, [owner, ann, bob]],
      [unseen, [bob, owner]],
    ] as const) {
      const expected = [owner, ann, bob, guest].map((by) =>
        recipients.some(({ id }) => id === by.id) ? [deletionOf(to, [message])] : [],
      );
      expect(await eventsForAll(() => remove(owner, message), listeners)).toEqual(expected);
    }
  });

  it('excludes messages that a user never received where history is protected', async () => {
    const protects = { invite_only: true, history_public_to_subscribers: false };
    const to = await server.channel(owner, { subscribers: [owner, ann], ...protects });
    const name = granted(await owner.get<{ stream: { name: string } }>(`/streams/${to}`)).stream.name;
    const early = [await post(ann, to), await post(owner, to)];
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [bob.id] }));
    const late = [await post(ann, to), await post(owner, to)];
    const listeners = [ann, bob].map((by) => [by, NEW] as const);
    const act = () => owner.post(`/streams/${to}/delete_topic`, { topic_name: 'lunch' });
    const [before, after] = await eventsForAll(act, listeners);
    expect(before).toEqual([deletionOf(to, [...early, ...late]), await first(to, null)]);
    expect(after).toEqual([deletionOf(to, late), await first(to, null)]);
    const old = await eventsForAll(async () => remove(ann, await post(ann, to)), [[bob, OLD]]);
    expect(old[0]?.map(({ type }) => type)).toEqual(['delete_message', 'stream']);
  });

  it('uses the readers and the topic of its position in a late delivery', async () => {
    const to = await server.channel(owner, { invite_only: true, subscribers: [owner, ann] });
    const name = granted(await owner.get<{ stream: { name: string } }>(`/streams/${to}`)).stream.name;
    const id = await post(owner, to);
    const [annsEvents, bobsEvents] = await eventsForAll(async () => {
      await remove(owner, id);
      granted(await owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [ann.id] }));
      granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [bob.id] }));
      await post(owner, to, { topic: 'lunch' });
    }, [
      [ann, { ...NEW, event_types: ['delete_message'] }],
      [bob, { ...NEW, event_types: ['delete_message'] }],
    ]);
    expect(annsEvents).toEqual([deletionOf(to, [id])]);
    expect(bobsEvents).toEqual([]);
  });
});

describe('first_message_id', () => {
  it('is updated to the oldest remaining message after the deletion, and starts again when the channel is empty', async () => {
    const to = await server.channel(owner, { subscribers: [owner, ann] });
    const ids = [await post(ann, to), await post(ann, to, { topic: 'other' }), await post(ann, to)];
    const [a = 0, b = 0, c = 0] = ids;
    const received = (id: number) =>
      eventsForAll(
        () => remove(owner, id),
        [
          [ann, NEW],
          [bob, NEW],
        ],
      );
    expect(await received(b)).toEqual([[deletionOf(to, [b], 'other')], []]);
    expect(await received(a)).toEqual([[deletionOf(to, [a]), await first(to, c)], [await first(to, c)]]);
    expect(await firstMessage(to)).toBe(c);
    expect(await received(c)).toEqual([[deletionOf(to, [c]), await first(to, null)], [await first(to, null)]]);
    expect(await firstMessage(to)).toBeNull();
    const [silent] = await eventsForAll(() => post(ann, to), [[bob, NEW]]);
    expect(silent).toEqual([]);
    expect(await firstMessage(to)).toBeGreaterThan(c);
  });

  it('is sent only to users who can see the channel', async () => {
    const to = await server.channel(ann, { invite_only: true });
    const id = await post(ann, to);
    const [knows, knowsNot] = await eventsForAll(
      () => remove(ann, id),
      [
        [owner, NEW],
        [bob, NEW],
      ],
    );
    expect(knows).toEqual([await first(to, null)]);
    expect(knowsNot).toEqual([]);
  });
});
