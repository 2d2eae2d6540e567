import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let author: Person;
let bob: Person;
let stranger: Person;
let open: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  author = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
  stranger = await server.person({ name: 'Sam' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, author, bob, stranger] });
});
afterAll(() => server.close());

type Channel = Awaited<ReturnType<TestServer['namedChannel']>>;
const SHARED = { history_public_to_subscribers: true };
const PROTECTED = { history_public_to_subscribers: false };
const closed = (params: Params = {}) =>
  server.namedChannel(owner, { invite_only: true, ...SHARED, subscribers: [owner, author, bob], ...params });
const post = async (to: number) =>
  granted(await author.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'plan', content: 'draft' })).id;
const edit = async (id: number, params: Params) => {
  server.clock.advance(10_000);
  const quietly = { send_notification_to_new_thread: false, propagate_mode: 'change_all' };
  const by = 'content' in params ? author : owner;
  granted(await by.patch(`/messages/${id}`, 'content' in params ? params : { ...quietly, ...params }));
};
const leaves = async (who: Person, { name }: Channel) =>
  granted(await owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [who.id] }));
const joins = async (who: Person, { name }: Channel) =>
  granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [who.id] }));
const shape = async ({ id }: Pick<Channel, 'id'>, params: Params) =>
  granted(await owner.patch(`/streams/${id}`, params));
/** Sends and renames something in between, and undoes it. */
const lapse = async (id: number) => {
  await edit(id, { content: 'SECRET text' });
  await edit(id, { topic: 'SECRET topic' });
  await edit(id, { topic: 'plan' });
  await edit(id, { content: 'final' });
};

type Entries = Record<string, unknown>[];
/** Every answer about the past of a message, by each endpoint. */
const received = async (who: Person, id: number) => {
  const { message_history } = granted(await who.get<{ message_history: Entries }>(`/messages/${id}/history`));
  const { message } = granted(await who.get<{ message: { edit_history?: Entries } }>(`/messages/${id}`));
  const page = { message_ids: [id] };
  const { messages } = granted(await who.get<{ messages: { edit_history?: Entries }[] }>('/messages', page));
  expect(messages[0]?.edit_history).toEqual(message.edit_history);
  return {
    contents: message_history.map(({ content }) => content),
    entries: message.edit_history?.length ?? 0,
    showsSecret: JSON.stringify([message_history, message, messages]).includes('SECRET'),
  };
};
const refused = { status: 400, body: { code: 'BAD_REQUEST' } };
const ALL = ['draft', 'SECRET text', 'SECRET text', 'SECRET text', 'final'];

describe.each([
  ['shared', SHARED],
  ['protected', PROTECTED],
])('changes of a message of a private channel with %s history during an absence', (_, history) => {
  it('stay hidden when the message moves to a channel of theirs', async () => {
    const channel = await closed(history);
    const id = await post(channel.id);
    await leaves(bob, channel);
    await lapse(id);
    expect(await bob.get(`/messages/${id}/history`)).toMatchObject(refused);
    await edit(id, { stream_id: open });
    expect(await received(bob, id)).toEqual({ contents: ['draft'], entries: 0, showsSecret: false });
    expect(await received(stranger, id)).toEqual({ contents: ['final'], entries: 0, showsSecret: false });
    expect(await received(owner, id)).toEqual({ contents: [...ALL, 'final'], entries: 5, showsSecret: true });
  });

  it('are shown for the time of their subscription', async () => {
    const channel = await closed(history);
    const id = await post(channel.id);
    await edit(id, { content: 'better' });
    await leaves(bob, channel);
    await lapse(id);
    await edit(id, { stream_id: open });
    await edit(id, { content: 'last' });
    expect(await received(bob, id)).toEqual({ contents: ['draft', 'better', 'last'], entries: 2, showsSecret: false });
  });

  it('are shown completely to users who left later', async () => {
    const channel = await closed(history);
    const id = await post(channel.id);
    await lapse(id);
    await leaves(bob, channel);
    await edit(id, { stream_id: open });
    expect((await received(bob, id)).contents).toEqual([...ALL, 'final']);
  });
});

describe('a user who returns after an absence', () => {
  it('can read the past of messages where history is shared', async () => {
    const channel = await closed();
    const id = await post(channel.id);
    await leaves(bob, channel);
    await lapse(id);
    await joins(bob, channel);
    expect(await received(bob, id)).toEqual({ contents: ALL, entries: 4, showsSecret: true });
    await edit(id, { stream_id: open });
    expect((await received(bob, id)).contents).toEqual([...ALL, 'final']);
  });

  it('cannot read changes of the absence where history is protected, in any channel', async () => {
    const channel = await closed(PROTECTED);
    const id = await post(channel.id);
    await leaves(bob, channel);
    await lapse(id);
    await joins(bob, channel);
    expect(await received(bob, id)).toEqual({ contents: ['draft'], entries: 0, showsSecret: false });
    await edit(id, { content: 'seen' });
    expect(await received(bob, id)).toEqual({ contents: ['draft', 'seen'], entries: 1, showsSecret: false });
    await edit(id, { stream_id: open });
    expect(await received(bob, id)).toEqual({ contents: ['draft', 'seen', 'seen'], entries: 2, showsSecret: false });
    expect((await received(author, id)).contents).toEqual([...ALL, 'seen', 'seen']);
  });
});

describe('a private channel that becomes public', () => {
  it('shows the past of its messages, also of those that moved later', async () => {
    const channel = await closed();
    const id = await post(channel.id);
    await lapse(id);
    expect(await stranger.get(`/messages/${id}/history`)).toMatchObject(refused);
    await shape(channel, { is_private: false });
    expect((await received(stranger, id)).contents).toEqual(ALL);
    await edit(id, { stream_id: open });
    expect((await received(stranger, id)).contents).toEqual([...ALL, 'final']);
  });

  it('hides the past of messages that had moved before', async () => {
    const channel = await closed();
    const id = await post(channel.id);
    await lapse(id);
    await edit(id, { stream_id: open });
    await shape(channel, { is_private: false });
    expect(await received(stranger, id)).toEqual({ contents: ['final'], entries: 0, showsSecret: false });
  });

  it('shows messages that moved while it was private as far as it was public', async () => {
    const channel = await closed({ invite_only: false });
    const id = await post(channel.id);
    await edit(id, { content: 'better' });
    await shape(channel, { is_private: true });
    await lapse(id);
    expect(await stranger.get(`/messages/${id}/history`)).toMatchObject(refused);
    await edit(id, { stream_id: open });
    expect(await received(stranger, id)).toEqual({ contents: ['draft', 'better'], entries: 1, showsSecret: false });
  });

  it('shows the past to new subscribers once its history is shared', async () => {
    const channel = await closed(PROTECTED);
    const id = await post(channel.id);
    await lapse(id);
    await joins(stranger, channel);
    expect(await stranger.get(`/messages/${id}/history`)).toMatchObject(refused);
    await shape(channel, { history_public_to_subscribers: true });
    expect((await received(stranger, id)).contents).toEqual(ALL);
  });
});
