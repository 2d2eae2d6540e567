import { Client } from 'pg';
import { granted } from '../../support/server/caller';
import { brokenLaws } from '../../support/laws/laws';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
/** Subscribed to the open channel only. */
let mia: Person;
let open: number;
let closed: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  mia = await server.person({ name: 'Mia' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, mia] });
  closed = await server.channel(owner, { name: 'closed', invite_only: true });
});
afterAll(() => server.close());
afterEach(() => jest.restoreAllMocks());

const post = async (topic = 'x') =>
  granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to: open, topic, content: 'so' })).id;
const remove = async (id: number) => granted(await owner.delete(`/messages/${id}`));

/** Lets something happen right before the next query of a name is asked. */
function before(name: string, act: () => Promise<unknown>): () => boolean {
  const query = Reflect.get(Client.prototype, 'query') as (...args: unknown[]) => unknown;
  let isDone = false;
  jest.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    const [asked] = args as [{ readonly name?: string } | undefined];
    if (isDone || asked?.name !== name) return query.apply(this, args) as never;
    isDone = true;
    return act().then(() => query.apply(this, args)) as never;
  });
  return () => isDone;
}

describe('a message that is deleted during a read', () => {
  it.each([
    ['a page', { anchor: 'newest', num_before: 2, num_after: 0 }],
    ['some by id', null],
  ])('is missing: %s', async (_, page) => {
    const [stays, goes] = [await post(), await post()];
    const happened = before('messages-rows-now', () => remove(goes));
    const asked = page ?? { message_ids: [stays, goes] };
    const { messages } = granted(await owner.get<{ messages: { id: number }[] }>('/messages', asked));
    expect(happened()).toBe(true);
    expect(messages.map(({ id }) => id)).toContain(stays);
    expect(messages.map(({ id }) => id)).not.toContain(goes);
  });

  it('is not found by id', async () => {
    const id = await post();
    const happened = before('messages-rows-now', () => remove(id));
    expect(await owner.get(`/messages/${id}`)).toMatchObject({ status: 400, body: { msg: 'Invalid message(s)' } });
    expect(happened()).toBe(true);
  });

  it('is sent as moved with its topic before', async () => {
    const [stays, goes] = [await post('moved'), await post('moved')];
    const happened = before('messages-deleted-from-topic', () => remove(goes));
    const act = async () =>
      granted(await owner.patch(`/messages/${stays}`, { topic: 'x', propagate_mode: 'change_all' }));
    const [received] = await owner.receive(act, 'update_message');
    expect(happened()).toBe(true);
    expect(received).toMatchObject({ message_ids: [stays, goes] });
    await server.settled();
    expect(await brokenLaws(server.kernel)).toEqual([]);
  });
});

describe('a message that moves to an inaccessible channel during a read', () => {
  const hide = async (id: number) => {
    granted(await owner.patch(`/messages/${id}`, { stream_id: closed, topic: 'hidden' }));
    granted(await owner.patch(`/messages/${id}`, { content: 'secret' }));
  };

  /** The process has no state of a message that changed its channel in its cache, so it reads the state for each request. */
  const movedHere = async () => {
    const from = await server.channel(owner, { name: 'first place', subscribers: [owner, mia] });
    const sent = { type: 'channel', to: from, topic: 'x', content: 'so' };
    const { id } = granted(await owner.post<{ id: number }>('/messages', sent));
    granted(await owner.patch(`/messages/${id}`, { stream_id: open }));
    return id;
  };

  it.each([
    ['messages-rows-now', post],
    ['messages-states', movedHere],
  ])('is missing, before %s', async (name, make) => {
    const [stays, goes] = [await post(), await make()];
    await server.settled();
    const happened = before(name, () => hide(goes));
    const { messages } = granted(
      await mia.get<{ messages: { id: number }[] }>('/messages', { message_ids: [stays, goes] }),
    );
    expect(happened()).toBe(true);
    expect(messages).toMatchObject([{ id: stays }]);
    expect(messages).toHaveLength(1);
  });

  it.each(['messages-rows-now', 'messages-texts'])('shows no history, before %s', async (name) => {
    const id = await post();
    // A worker that reads the message meanwhile asks queries of the same names.
    await server.settled();
    const happened = before(name, () => hide(id));
    expect(await mia.get(`/messages/${id}/history`)).toMatchObject({
      status: 400,
      body: { msg: 'Invalid message(s)' },
    });
    expect(happened()).toBe(true);
  });
});
