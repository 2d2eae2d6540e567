import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let mia: Person;
let otto: Person;
let open: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  mia = await server.person({ name: 'Mia' });
  otto = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, mia] });
});
afterAll(() => server.close());

const post = async (by: Person, params: Params = {}) =>
  granted(
    await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic: 'x', content: 'so', ...params }),
  ).id;
const add = async (by: Person, id: number, emoji_name = 'tada') =>
  granted(await by.post(`/messages/${id}/reactions`, { emoji_name }));
const remove = async (by: Person, id: number, emoji_name = 'tada') =>
  granted(await by.delete(`/messages/${id}/reactions`, { emoji_name }));

/** The client events for each of these users while something happens. */
async function eventsFor(people: readonly Person[], act: () => Promise<unknown>): Promise<(readonly WireEvent[])[]> {
  const queues = [];
  for (const one of people) queues.push(await one.register({ event_types: ['reaction'], fetch_event_types: [] }));
  await act();
  const received = [];
  for (const [n, one] of people.entries()) received.push(await one.events(queues[n] ?? (await one.register())));
  return received;
}

describe('the client event of a reaction', () => {
  it('has the user, the emoji and the message, also for a removal', async () => {
    const id = await post(owner);
    const received = await mia.receive(async () => {
      await add(owner, id, 'thumbs_up');
      await remove(owner, id, '+1');
    }, 'reaction');
    const fields = {
      id: expect.any(Number) as number,
      type: 'reaction',
      message_id: id,
      user_id: owner.id,
      emoji_name: 'thumbs_up',
      emoji_code: '1f44d',
      reaction_type: 'unicode_emoji',
    };
    expect(received).toEqual([
      { ...fields, op: 'add' },
      { ...fields, op: 'remove' },
    ]);
  });

  it('brings a fetched message up to date', async () => {
    const id = await post(owner);
    await add(mia, id, 'heart');
    type Shown = { message: { reactions: Params[] } };
    const fetched = async () => granted(await mia.get<Shown>(`/messages/${id}`)).message.reactions;
    const before = await fetched();
    const received = await mia.receive(async () => {
      await add(owner, id, 'heart');
      await add(mia, id, 'tada');
      await remove(mia, id, 'heart');
      await add(owner, id, 'zulip');
      await add(mia, id, 'heart');
    }, 'reaction');
    const after = received.reduce((reactions, { id: _, type: __, op, message_id: ___, ...reaction }) => {
      const key = ({ user_id, emoji_code, reaction_type }: Params) =>
        JSON.stringify([user_id, emoji_code, reaction_type]);
      return op === 'add' ? [...reactions, reaction] : reactions.filter((one) => key(one) !== key(reaction));
    }, before);
    expect(await fetched()).toEqual(after);
    expect(after).toHaveLength(4);
  });

  it('is separate from the event of the message, which is sent first', async () => {
    const act = async () => add(owner, await post(owner));
    const [message, reaction] = await mia.receive(act, { event_types: ['message', 'reaction'] });
    expect(message).toMatchObject({ type: 'message', message: { reactions: [] } });
    expect(reaction).toMatchObject({ type: 'reaction', op: 'add' });
  });

  it('is not sent for a refused request', async () => {
    const id = await post(owner);
    await add(owner, id);
    const received = await mia.receive(async () => {
      await owner.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
      await mia.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    }, 'reaction');
    expect(received).toEqual([]);
  });
});

describe('recipients of a reaction event', () => {
  const countsFor = async (people: readonly Person[], act: () => Promise<unknown>) =>
    (await eventsFor(people, act)).map((events) => events.length);

  it('are subscribers, and users who reacted without a subscription, from then on', async () => {
    const id = await post(owner);
    const nobody = await server.person();
    const everybody = [owner, mia, otto, nobody];
    expect(await countsFor(everybody, () => add(mia, id))).toEqual([1, 1, 0, 0]);
    expect(await countsFor(everybody, () => add(otto, id))).toEqual([1, 1, 1, 0]);
    expect(await countsFor(everybody, () => add(owner, id))).toEqual([1, 1, 1, 0]);
    expect(await countsFor(everybody, () => remove(otto, id))).toEqual([1, 1, 1, 0]);
    expect(await countsFor(everybody, () => remove(owner, id))).toEqual([1, 1, 1, 0]);
  });

  it('are mentioned users and the sender, subscribed or not', async () => {
    const id = await post(otto, { content: 'hello @**Otto** and all' });
    expect(await countsFor([otto, mia], () => add(mia, id))).toEqual([1, 1]);
  });

  it('include later subscribers where history is shared', async () => {
    for (const [history_public_to_subscribers, count] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const name = `private ${String(history_public_to_subscribers)}`;
      const input = { name, invite_only: true, history_public_to_subscribers };
      const id = await post(owner, { to: await server.channel(owner, input) });
      const late = await server.person();
      granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [late.id] }));
      expect(await countsFor([owner, late, otto], () => add(owner, id))).toEqual([1, count, 0]);
    }
  });

  it('exclude users who lost access, even if they reacted or were mentioned', async () => {
    const channel = await server.channel(owner, { name: 'den', invite_only: true, subscribers: [owner, mia, otto] });
    const id = await post(owner, { to: channel, content: 'look, @**Mia**' });
    await add(mia, id);
    await add(otto, id);
    const leave = { subscriptions: ['den'], principals: [mia.id, otto.id] };
    granted(await owner.delete('/users/me/subscriptions', leave));
    expect(await countsFor([owner, mia, otto], () => add(owner, id))).toEqual([1, 0, 0]);
  });

  it('are those of the time of the reaction, also in a late delivery', async () => {
    const name = 'coming and going';
    const channel = await server.channel(owner, { name, invite_only: true, subscribers: [owner, mia] });
    const id = await post(owner, { to: channel });
    const received = await countsFor([mia, otto], async () => {
      await add(owner, id);
      granted(await owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [mia.id] }));
      await remove(owner, id);
      granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [otto.id] }));
    });
    expect(received).toEqual([1, 0]);
  });

  it('are all participants of a conversation only', async () => {
    const id = await post(mia, { type: 'direct', to: [owner.id] });
    expect(await countsFor([owner, mia, otto], () => add(owner, id))).toEqual([1, 1, 0]);
  });

  it('are clients that requested reactions', async () => {
    const id = await post(owner);
    expect(await mia.receive(() => add(owner, id), 'message')).toEqual([]);
  });
});

describe('a user who reacted without a subscription', () => {
  const received = (act: () => Promise<unknown>) =>
    otto.receive(act, {
      event_types: ['update_message', 'delete_message'],
      client_capabilities: { bulk_message_deletion: true },
    });

  it('receives later events of the message, as history', async () => {
    const id = await post(mia);
    const edit = (params: Params) => mia.patch(`/messages/${id}`, params);
    expect(await received(() => edit({ content: 'second' }))).toEqual([]);
    await add(otto, id);
    expect(await received(() => edit({ content: 'third' }))).toMatchObject([
      { type: 'update_message', content: 'third', flags: ['read', 'historical'] },
    ]);
    expect(await received(() => edit({ topic: 'elsewhere' }))).toMatchObject([
      { type: 'update_message', message_ids: [id], subject: 'elsewhere' },
    ]);
    expect(await received(() => mia.delete(`/messages/${id}`))).toMatchObject([
      { type: 'delete_message', message_ids: [id] },
    ]);
  });
});
