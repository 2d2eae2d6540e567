import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { makeGroup } from '../../support/requests/groups';
import type { Message } from '../../support/requests/messages';
import { idOf, messageSeen, send, sendDirect } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
beforeAll(async () => ({ server, owner, member, other } = await startWithUsers()));
afterAll(() => server.close());

const refused = (code: string, more: object = {}) => ({ status: 400, body: { result: 'error', code, ...more } });

describe('a channel message', () => {
  it('returns its id, which increases', async () => {
    const { id } = await server.namedChannel(owner);
    const { status, body } = await send(owner, { to: id });
    expect({ status, body }).toEqual({
      status: 200,
      body: { result: 'success', msg: '', id: expect.any(Number) as number, automatic_new_visibility_policy: 3 },
    });
    expect(await idOf(send(owner, { to: id }))).toBeGreaterThan(body.id);
  });

  it('accepts a channel by id or name, alone or in a list', async () => {
    const { id, name } = await server.namedChannel(owner);
    for (const to of [id, [id], name, name.toUpperCase(), `"${name}"`, [name], ` ${name} `]) {
      expect(await messageSeen(owner, await idOf(send(owner, { to })))).toMatchObject({ stream_id: id });
    }
  });

  it.each(['channel', 'stream'])('accepts the type %s and returns `stream`', async (type) => {
    const { id, name } = await server.namedChannel(owner);
    expect(await messageSeen(owner, await idOf(send(owner, { type, to: id })))).toEqual({
      id: expect.any(Number) as number,
      type: 'stream',
      stream_id: id,
      display_recipient: name,
      recipient_id: 2 * id,
      subject: 'lunch',
      sender_id: owner.id,
      sender_email: owner.email,
      sender_full_name: 'Owner',
      sender_realm_str: '',
      avatar_url: expect.stringMatching(/^https:/) as string,
      client: 'node',
      content: '<p>hello</p>',
      content_type: 'text/html',
      is_me_message: false,
      timestamp: Date.UTC(2026, 0, 1) / 1000,
      topic_links: [],
      reactions: [],
      submessages: [],
      flags: [],
    });
  });

  it('is refused in an unknown channel', async () => {
    expect(await send(owner, { to: 999_999 })).toMatchObject(refused('STREAM_DOES_NOT_EXIST', { stream_id: 999_999 }));
    expect(await send(owner, { to: 2 ** 50 })).toMatchObject(refused('STREAM_DOES_NOT_EXIST', { stream_id: 2 ** 50 }));
    expect(await send(owner, { to: 'nowhere' })).toMatchObject(refused('STREAM_DOES_NOT_EXIST', { stream: 'nowhere' }));
  });

  it.each<[string, Params, string]>([
    ['no type', { type: undefined, to: 'general' }, 'REQUEST_VARIABLE_MISSING'],
    ['another type', { type: 'huddle', to: 'general' }, 'BAD_REQUEST'],
    ['no channel', {}, 'BAD_REQUEST'],
    ['two channels', { to: ['general', 'general'] }, 'BAD_REQUEST'],
    ['an object for a channel', { to: { id: 1 } }, 'BAD_REQUEST'],
    ['no topic', { to: 'general', topic: undefined }, 'BAD_REQUEST'],
    ['two spellings of the topic', { to: 'general', subject: 'x' }, 'REQUEST_CONFUSING_VAR'],
    ['an unprintable topic', { to: 'general', topic: 'a\u0007' }, 'BAD_REQUEST'],
    ['no content', { to: 'general', content: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['blank content', { to: 'general', content: ' \n ' }, 'BAD_REQUEST'],
    ['NUL in the content', { to: 'general', content: 'a\u0000b' }, 'BAD_REQUEST'],
    ['a word for a boolean', { to: 'general', read_by_sender: 'yes' }, 'BAD_REQUEST'],
  ])('is refused with %s', async (_, params, code) => {
    expect(await send(owner, params)).toMatchObject(refused(code));
  });

  it('keeps its text, trimmed', async () => {
    const raw = async (content: string) =>
      (await owner.get<{ raw_content: string }>(`/messages/${await idOf(send(owner, { to: 'general', content }))}`))
        .body.raw_content;
    expect(await raw('\n\n  code\n\nmore  \n')).toBe('  code\n\nmore');
    const cut = await raw('é'.repeat(10_001));
    expect([...cut]).toHaveLength(10_000);
    expect(cut.endsWith('é\n[message truncated]')).toBe(true);
  });

  it('has a topic, trimmed, cut, or none', async () => {
    const topic = async (written: string, params: Params = { allow_empty_topic_name: true }) =>
      (await messageSeen(owner, await idOf(send(owner, { to: 'general', topic: written })), params))['subject'];
    expect(await topic('  lunch ')).toBe('lunch');
    expect(await topic('x'.repeat(61))).toBe(`${'x'.repeat(57)}...`);
    for (const empty of ['', ' ', '(no topic)', 'general chat']) expect(await topic(empty)).toBe('');
    expect(await topic('', {})).toBe('general chat');
    expect(await topic('General Chat')).toBe('General Chat');
  });

  it('shares a topic with other letter cases, and keeps its own', async () => {
    const { id } = await server.namedChannel(owner);
    await send(owner, { to: id, topic: 'Lunch' });
    await send(owner, { to: id, topic: 'LUNCH' });
    await send(owner, { to: id, topic: 'Lunch' });
    const narrow = [
      { operator: 'channel', operand: id },
      { operator: 'topic', operand: 'lunch' },
    ];
    const { body } = await owner.get<{ messages: Message[] }>('/messages', { anchor: 'newest', num_before: 9, narrow });
    expect(body.messages.map(({ subject }) => subject)).toEqual(['Lunch', 'LUNCH', 'Lunch']);
  });

  it('renders mentions of users and channels for its readers', async () => {
    const { id, name } = await server.namedChannel(owner, { subscribers: [owner, member] });
    const content = `@**Mia** see #**${name}**, not @**Nobody**`;
    const message = await messageSeen(member, await idOf(send(owner, { to: id, content })));
    expect(message.flags).toEqual(['mentioned']);
    expect(message['content']).toContain(`<span class="user-mention" data-user-id="${member.id}">@Mia</span>`);
    expect(message['content']).toContain(`data-stream-id="${id}"`);
    expect(message['content']).toContain('@<strong>Nobody</strong>');
  });

  it('renders /me', async () => {
    const message = await messageSeen(owner, await idOf(send(owner, { to: 'general', content: '/me waves' })));
    expect(message['is_me_message']).toBe(true);
  });

  it('is read by its sender if sent from an interactive client, or as requested', async () => {
    const flags = async (params: Params, client: string) =>
      (await messageSeen(owner, await idOf(send(owner, { to: 'general', ...params }, { 'user-agent': client })))).flags;
    expect(await flags({}, 'ZulipMobile/27 (iOS)')).toEqual(['read']);
    expect(await flags({}, 'ZulipPython/0.9')).toEqual([]);
    expect(await flags({ read_by_sender: true }, 'ZulipPython/0.9')).toEqual(['read']);
    expect(await flags({ read_by_sender: false }, 'ZulipMobile/27')).toEqual([]);
  });
});

describe('the client event of a new message', () => {
  const eventsOf = async (who: Person, act: () => Promise<unknown>, input: Params = {}) =>
    (await who.receive(act, { event_types: ['message'], ...input })) as unknown as (WireEvent & {
      message: Message;
      flags: string[];
      local_message_id?: string;
    })[];

  it('has the message as fetched, with the flags of the user', async () => {
    const { id } = await server.namedChannel(owner, { subscribers: [owner, member] });
    let sent = 0;
    const act = async () => {
      sent = await idOf(send(owner, { to: id, content: '@**Mia** **bold**' }));
    };
    const [event] = await eventsOf(member, act, { apply_markdown: true, client_gravatar: false });
    const { flags, ...message } = await messageSeen(member, sent);
    expect(event).toMatchObject({ type: 'message', flags: ['mentioned'], message });
    expect(event).not.toHaveProperty('local_message_id');
    expect(event?.message).not.toHaveProperty('flags');
    expect(flags).toEqual(['mentioned']);
    const [raw] = await eventsOf(member, act);
    expect(raw?.message).toMatchObject({
      content: '@**Mia** **bold**',
      content_type: 'text/x-markdown',
      avatar_url: null,
    });
  });

  it('is sent to subscribers, mentioned users and the sender, not to all readers', async () => {
    const { id } = await server.namedChannel(owner, { subscribers: [member] });
    const act = () => send(owner, { to: id, content: 'hello @**Otto**' });
    expect(await eventsOf(member, act)).toHaveLength(1);
    expect(await eventsOf(owner, act)).toHaveLength(1);
    expect(await eventsOf(other, act)).toMatchObject([{ flags: ['read', 'mentioned'] }]);
    const administrator = await server.person({ role: 'administrator' });
    expect(await eventsOf(administrator, act)).toEqual([]);
    expect(await eventsOf(administrator, act, { all_public_streams: true })).toHaveLength(1);
  });

  it('has no flags for a queue of all public channels without a subscription', async () => {
    await makeGroup(owner, { name: 'crew', members: [other.id] });
    const { id, name } = await server.namedChannel(owner, { subscribers: [member] });
    const act = () => send(owner, { to: id, content: '@**all** and @*crew*' });
    expect(await eventsOf(other, act, { all_public_streams: true })).toMatchObject([{ flags: [] }]);
    const called = ['mentioned', 'stream_wildcard_mentioned', 'wildcard_mentioned'];
    granted(await other.post('/users/me/subscriptions', { subscriptions: [{ name }] }));
    expect(await eventsOf(other, act, { all_public_streams: true })).toMatchObject([{ flags: called }]);
  });

  it('in a private channel is not sent to mentioned users without access', async () => {
    const { id } = await server.namedChannel(owner, { invite_only: true, subscribers: [owner, member] });
    expect(await eventsOf(other, () => send(owner, { to: id, content: 'hello @**Otto**' }))).toEqual([]);
  });

  it('of a direct message is sent to both sides only', async () => {
    const act = () => sendDirect(owner, [member.id]);
    expect(await eventsOf(member, act)).toHaveLength(1);
    expect(await eventsOf(owner, act, {})).toHaveLength(1);
    expect(await eventsOf(other, act, { all_public_streams: true })).toEqual([]);
  });

  it('has the local id for the sending queue only', async () => {
    const queue = await owner.register({ event_types: ['message'] });
    const another = await owner.register({ event_types: ['message'] });
    const theirs = await member.register({ event_types: ['message'] });
    const echo = { queue_id: queue.queue_id, local_id: '17.01', read_by_sender: true };
    await send(owner, { to: 'general', ...echo });
    await send(owner, { to: 'general', local_id: '17.02' });
    expect(await owner.events(queue)).toMatchObject([{ local_message_id: '17.01', flags: ['read'] }, { flags: [] }]);
    for (const [who, one] of [
      [owner, another],
      [member, theirs],
    ] as const) {
      for (const event of await who.events(one)) expect(event).not.toHaveProperty('local_message_id');
    }
  });

  it('names the empty topic as the client supports it', async () => {
    const act = () => send(owner, { to: 'general', topic: '' });
    const subject = async (empty_topic_name: boolean) =>
      (await eventsOf(member, act, { client_capabilities: { empty_topic_name } }))[0]?.message['subject'];
    expect(await subject(true)).toBe('');
    expect(await subject(false)).toBe('general chat');
  });
});

describe('the initial state of a client', () => {
  it('has the unread messages: direct, of groups, of channels, and with mentions', async () => {
    const [me, friend, third] = [await server.person({ name: 'Uma' }), await server.person(), await server.person()];
    const id = await server.channel(owner, { subscribers: [owner, me] });
    const to = { channel: [] as number[], empty: [] as number[], friend: [] as number[], group: [] as number[] };
    to.channel.push(await idOf(send(owner, { to: id })), await idOf(send(owner, { to: id, content: '@**Uma**' })));
    to.empty.push(await idOf(send(owner, { to: id, topic: '' })));
    to.friend.push(await idOf(sendDirect(friend, [me.id])));
    to.group.push(await idOf(sendDirect(friend, [me.id, third.id])));
    const noted = await idOf(sendDirect(me, [me.id]));
    await idOf(sendDirect(me, [friend.id], { read_by_sender: true }));
    await idOf(send(owner, { to: await server.channel(owner) }));
    const state = await me.register({ client_capabilities: { empty_topic_name: true } });
    const group = [me.id, friend.id, third.id].sort((a, b) => a - b);
    expect(state['unread_msgs']).toEqual({
      count: 6,
      pms: [
        { other_user_id: friend.id, sender_id: friend.id, unread_message_ids: to.friend },
        { other_user_id: me.id, sender_id: me.id, unread_message_ids: [noted] },
      ],
      streams: [
        { stream_id: id, topic: 'lunch', unread_message_ids: to.channel },
        { stream_id: id, topic: '', unread_message_ids: to.empty },
      ],
      huddles: [{ user_ids_string: group.join(), unread_message_ids: to.group }],
      mentions: [to.channel[1]],
      old_unreads_missing: false,
    });
    expect(state['recent_private_conversations']).toEqual([
      { max_message_id: expect.any(Number) as number, user_ids: [friend.id] },
      { max_message_id: noted, user_ids: [] },
      { max_message_id: to.group[0], user_ids: [friend.id, third.id].sort((a, b) => a - b) },
    ]);
    expect(state['starred_messages']).toEqual([]);
    const newest = await idOf(sendDirect(friend, [me.id]));
    expect((await me.register())['max_message_id']).toBe(newest);
  });

  it('has no unread messages for a new user', async () => {
    const newcomer = await server.person();
    expect(await newcomer.register()).toMatchObject({
      max_message_id: -1,
      recent_private_conversations: [],
      unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
    });
  });
});
