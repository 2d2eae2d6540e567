import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Message } from '../../support/requests/messages';
import { idOf, messageSeen, send, sendDirect } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
/** In no channel unless a test adds them. Their client does not mark sent messages as read. */
let otto: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  otto = await server.person({ name: 'Otto' });
});
afterAll(() => server.close());

let made = 0;
/** A public channel of the owner's, and others'. */
async function channel(...subscribers: Person[]) {
  const name = `outside ${++made}`;
  const id = await server.channel(owner, { name, subscribers: [owner, ...subscribers] });
  const one = { name, principals: [otto.id] };
  return {
    id,
    comes: async () =>
      granted(await owner.post('/users/me/subscriptions', { ...one, subscriptions: [{ name: one.name }] })),
    leaves: async () => granted(await owner.delete('/users/me/subscriptions', { ...one, subscriptions: [one.name] })),
  };
}

const LOOKS = { event_types: ['message', 'update_message', 'update_message_flags'] };
const eventsOf = async (act: () => Promise<unknown>, input: Params = LOOKS) =>
  (await otto.receive(act, input)) as unknown as (WireEvent & { flags: string[] })[];
const flagsSeen = async (id: number) => (await messageSeen(otto, id)).flags;

/** The initial state of Otto's client: unread messages of channels, and those among them that mention him. */
async function begins() {
  const { unread_msgs } = (await otto.register({
    fetch_event_types: ['message', 'update_message_flags'],
  })) as unknown as {
    unread_msgs: { streams: { unread_message_ids: number[] }[]; mentions: number[] };
  };
  const unread = unread_msgs.streams.flatMap((one) => one.unread_message_ids);
  return { unread, mentions: unread_msgs.mentions };
}

const hasUnread = async (inChannel: number) => {
  const narrow = [{ operator: 'channel', operand: inChannel }];
  const asked = { anchor: 'first_unread', num_before: 0, num_after: 1, narrow };
  return granted(await otto.get<{ found_anchor: boolean; messages: Message[] }>('/messages', asked)).found_anchor;
};

describe('a channel message is read from the start', () => {
  it('for a sender without a subscription, also after subscribing and unsubscribing', async () => {
    const { id, comes, leaves } = await channel();
    let sent = 0;
    const [event] = await eventsOf(async () => (sent = await idOf(send(otto, { to: id }))));
    expect(event).toMatchObject({ type: 'message', flags: ['read'] });
    await comes();
    expect(await flagsSeen(sent)).toEqual(['read']);
    expect(await begins()).toEqual({ unread: [], mentions: [] });
    expect(await hasUnread(id)).toBe(false);
    expect(await eventsOf(leaves)).toEqual([]);
  });

  it('for mentioned users without a subscription, who keep the mention', async () => {
    const { id, comes, leaves } = await channel();
    let called = 0;
    const [event] = await eventsOf(
      async () => (called = await idOf(send(owner, { to: id, content: '@**Otto** look' }))),
    );
    expect(event).toMatchObject({ type: 'message', flags: ['read', 'mentioned'] });
    expect(await flagsSeen(called)).toEqual(['read', 'mentioned']);
    const edit = async (content: string) => granted(await owner.patch(`/messages/${called}`, { content }));
    expect(await eventsOf(() => edit('@**Otto** look here'))).toMatchObject([{ flags: ['read', 'mentioned'] }]);
    await comes();
    expect(await flagsSeen(called)).toEqual(['read', 'mentioned']);
    expect(await begins()).toEqual({ unread: [], mentions: [] });
    expect(await eventsOf(() => edit('@**Otto** there'))).toMatchObject([{ flags: ['read', 'mentioned'] }]);
    expect(await eventsOf(leaves)).toEqual([]);
    await comes();
    expect(await begins()).toEqual({ unread: [], mentions: [] });
  });

  it('after any move', async () => {
    const [{ id: from }, { id: to }] = [await channel(), await channel(otto)];
    const called = await idOf(send(owner, { to: from, content: '@**Otto** look' }));
    const move = async () => granted(await owner.patch(`/messages/${called}`, { stream_id: to }));
    const [event] = await eventsOf(move, { event_types: ['update_message'] });
    expect(event).toMatchObject({ new_stream_id: to, flags: ['read', 'mentioned'] });
    expect(await flagsSeen(called)).toEqual(['read', 'mentioned']);
    expect((await begins()).unread).not.toContain(called);
  });
});

describe('a message is unread', () => {
  it('for subscribers, also mentioned by themselves or others, until they leave', async () => {
    const { id, leaves } = await channel(otto);
    let [own, called] = [0, 0];
    const events = await eventsOf(async () => {
      own = await idOf(send(otto, { to: id, content: 'I, @**Otto**' }));
      called = await idOf(send(owner, { to: id, content: '@**Otto** look' }));
    });
    expect(events).toMatchObject([{ flags: ['mentioned'] }, { flags: ['mentioned'] }]);
    expect([await flagsSeen(own), await flagsSeen(called)]).toEqual([['mentioned'], ['mentioned']]);
    const { unread, mentions } = await begins();
    expect(unread).toEqual(expect.arrayContaining([own, called]));
    expect(mentions).toEqual(expect.arrayContaining([own, called]));
    expect(await hasUnread(id)).toBe(true);
    expect(await eventsOf(leaves)).toMatchObject([{ type: 'update_message_flags', messages: [own, called] }]);
  });

  it('for participants of a conversation', async () => {
    const events = await eventsOf(() => sendDirect(owner, [otto.id]));
    expect(events).toMatchObject([{ type: 'message', flags: [] }]);
  });
});
