import { startWithUsers } from '../../support/server/start-with-users';
import type { Message } from '../../support/requests/messages';
import { idOf, messageSeen, send } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => ({ server, owner, member, other, guest, groups } = await startWithUsers()));
afterAll(() => server.close());

const refused = (code: string, more: object = {}) => ({ status: 400, body: { result: 'error', code, ...more } });
const organization = (settings: Record<string, unknown>) =>
  owner.patch(
    '/realm',
    Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, typeof value === 'number' ? { new: value } : value]),
    ),
  );

describe('posting in a channel', () => {
  it('is allowed to subscribers of a private channel, and to their bots', async () => {
    const { id } = await server.namedChannel(owner, { invite_only: true, subscribers: [owner, member] });
    expect((await send(member, { to: id })).status).toBe(200);
    expect((await send(await server.bot(member), { to: id })).status).toBe(200);
    for (const by of [other, guest, await server.bot(other)]) {
      expect(await send(by, { to: id })).toMatchObject(refused('BAD_REQUEST'));
    }
  });

  it('is allowed to groups with access to a private channel with shared history', async () => {
    const readers = { can_subscribe_group: { direct_members: [other.id], direct_subgroups: [] } };
    const shared = await server.namedChannel(owner, {
      invite_only: true,
      history_public_to_subscribers: true,
      ...readers,
    });
    const kept = await server.namedChannel(owner, { invite_only: true, ...readers });
    expect((await send(other, { to: shared.id })).status).toBe(200);
    expect(await send(other, { to: kept.id })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('is allowed to all users in a public channel, except guests without a subscription', async () => {
    const { id } = await server.namedChannel(owner, { subscribers: [owner] });
    expect((await send(other, { to: id })).status).toBe(200);
    expect(await send(guest, { to: id })).toMatchObject(refused('BAD_REQUEST'));
    const theirs = await server.namedChannel(owner, { subscribers: [owner, guest] });
    expect((await send(guest, { to: theirs.id })).status).toBe(200);
  });

  it('requires the permission of the channel, for the user or the owner of the bot', async () => {
    const { id } = await server.namedChannel(owner, { can_send_message_group: groups['administrators'] });
    expect(await send(member, { to: id })).toMatchObject(refused('BAD_REQUEST'));
    expect(await send(await server.bot(member), { to: id })).toMatchObject(refused('BAD_REQUEST'));
    expect((await send(await server.bot(owner), { to: id })).status).toBe(200);
  });

  it('in a new topic requires the permission to create topics', async () => {
    const { id } = await server.namedChannel(owner, { can_create_topic_group: groups['administrators'] });
    expect(await send(member, { to: id, topic: 'new' })).toMatchObject(refused('BAD_REQUEST'));
    expect((await send(owner, { to: id, topic: 'New' })).status).toBe(200);
    expect((await send(member, { to: id, topic: 'new' })).status).toBe(200);
  });

  it('applies the topics policy of the channel or of the organization', async () => {
    const only = await server.namedChannel(owner, { topics_policy: 'empty_topic_only' });
    const named = await server.namedChannel(owner, { topics_policy: 'disable_empty_topic' });
    const inherits = await server.namedChannel(owner);
    expect(await send(owner, { to: only.id, topic: 'x' })).toMatchObject(refused('BAD_REQUEST'));
    expect((await send(owner, { to: only.id, topic: '' })).status).toBe(200);
    for (const topic of ['', '(no topic)', 'general chat']) {
      expect(await send(owner, { to: named.id, topic })).toMatchObject(refused('BAD_REQUEST'));
    }
    expect((await send(owner, { to: inherits.id, topic: '' })).status).toBe(200);
    await organization({ topics_policy: 'disable_empty_topic' });
    expect(await send(owner, { to: inherits.id, topic: '' })).toMatchObject(refused('BAD_REQUEST'));
    await organization({ topics_policy: 'allow_empty_topic' });
  });

  it('stores two concurrent first messages of a topic, in one topic for readers', async () => {
    const { id } = await server.namedChannel(owner);
    const sent = await Promise.all(Array.from({ length: 5 }, () => idOf(send(owner, { to: id, topic: 'race' }))));
    const narrow = [
      ['channel', id],
      ['topic', 'RACE'],
    ];
    const { body } = await owner.get<{ messages: Message[] }>('/messages', { anchor: 'newest', num_before: 9, narrow });
    expect(body.messages.map((message) => message.id)).toEqual(sent.sort((a, b) => a - b));
  });
});

describe('a wildcard mention', () => {
  let big: { id: number };
  beforeAll(async () => {
    const people = await Promise.all(Array.from({ length: 14 }, () => server.person()));
    big = await server.namedChannel(owner, { subscribers: [owner, member, ...people] });
  });

  it('of more than fifteen users requires the permission of the organization', async () => {
    const small = await server.namedChannel(owner, { subscribers: [owner, member] });
    for (const content of ['@**all** hi', '@**everyone**', '@**channel**', '@**stream**']) {
      expect(await send(member, { to: big.id, content })).toMatchObject(refused('STREAM_WILDCARD_MENTION_NOT_ALLOWED'));
    }
    expect((await send(member, { to: small.id, content: '@**all** hi' })).status).toBe(200);
    expect((await send(member, { to: big.id, content: '@_**all** and `@**all**`' })).status).toBe(200);
    const id = await idOf(send(owner, { to: big.id, content: '@**all** hi' }));
    expect((await messageSeen(member, id)).flags).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned']);
    const everyone = { can_mention_many_users_group: groups['everyone'] };
    await organization(everyone);
    expect((await send(member, { to: big.id, content: '@**all** hi' })).status).toBe(200);
    await organization({ can_mention_many_users_group: groups['administrators'] });
  });

  it('of a topic mentions its participants', async () => {
    await send(member, { to: big.id, topic: 'few' });
    const id = await idOf(send(owner, { to: big.id, topic: 'few', content: '@**topic** hi' }));
    expect((await messageSeen(member, id)).flags).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned']);
    const bystander = await server.person();
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals: [bystander.id] });
    const general = await idOf(send(owner, { to: 'general', topic: 'few', content: '@**topic** hi' }));
    expect((await messageSeen(bystander, general)).flags).toEqual([]);
  });

  it('of a topic with more than fifteen participants requires the permission of the organization', async () => {
    const bots = await Promise.all(Array.from({ length: 14 }, () => server.bot(owner)));
    for (const bot of bots) await send(bot, { to: big.id, topic: 'many' });
    // An author who mentions the participants is one of them.
    expect((await send(member, { to: big.id, topic: 'many', content: '@**topic**' })).status).toBe(200);
    await send(other, { to: big.id, topic: 'many' });
    expect(await send(member, { to: big.id, topic: 'many', content: '@**topic**' })).toMatchObject(
      refused('TOPIC_WILDCARD_MENTION_NOT_ALLOWED'),
    );
    expect((await send(owner, { to: big.id, topic: 'many', content: '@**topic**' })).status).toBe(200);
  });

  it('of a group requires the permission of the group', async () => {
    expect(await send(owner, { to: 'general', content: '@*role:members* hi' })).toMatchObject(refused('BAD_REQUEST'));
    expect((await send(owner, { to: 'general', content: '@_*role:members* and @*nobody knows*' })).status).toBe(200);
  });
});
