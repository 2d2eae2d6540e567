import type { Params, WireEvent } from '../support/caller';
import { granted } from '../support/caller';
import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
let groups: Record<string, number>;
let made = 0;
beforeAll(async () => {
  server = await startServer();
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  other = await server.person({ name: 'Otto' });
  guest = await server.person({ role: 'guest', name: 'Gus' });
  const { body } = await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
  groups = Object.fromEntries(body.user_groups.map(({ id, name }) => [name.replace('role:', ''), id]));
});
afterAll(() => server.close());

type Message = Record<string, unknown> & { readonly id: number; readonly flags: readonly string[] };
const refused = (code: string, more: object = {}) => ({ status: 400, body: { result: 'error', code, ...more } });
const fresh = (what = 'channel') => `${what} ${++made}`;
const send = (by: Person, params: Params, headers: Record<string, string> = {}) =>
  by.post<{ id: number }>('/messages', { type: 'channel', topic: 'lunch', content: 'hello', ...params }, { headers });
const direct = (by: Person, to: unknown, params: Params = {}) =>
  by.post<{ id: number }>('/messages', { type: 'direct', to, content: 'hello', ...params });
const idOf = async (sending: ReturnType<typeof send>) => granted(await sending).id;
const shown = async (by: Person, id: number, params: Params = {}) =>
  (await by.get<{ message: Message }>(`/messages/${id}`, params)).body.message;
const channel = async (by: Person, wish: Params & { subscribers?: Person[] } = {}) => {
  const name = fresh();
  return { name, id: await server.channel(by, { name, ...wish }) };
};
const organization = (settings: Record<string, unknown>) =>
  owner.patch(
    '/realm',
    Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, typeof value === 'number' ? { new: value } : value]),
    ),
  );

describe('a channel message', () => {
  it('is answered by its id, which grows', async () => {
    const { id } = await channel(owner);
    const { status, body } = await send(owner, { to: id });
    expect({ status, body }).toEqual({
      status: 200,
      body: { result: 'success', msg: '', id: expect.any(Number) as number, automatic_new_visibility_policy: 3 },
    });
    expect(await idOf(send(owner, { to: id }))).toBeGreaterThan(body.id);
  });

  it('names its channel by id or name, alone or in a list', async () => {
    const { id, name } = await channel(owner);
    for (const to of [id, [id], name, name.toUpperCase(), `"${name}"`, [name], ` ${name} `]) {
      expect(await shown(owner, await idOf(send(owner, { to })))).toMatchObject({ stream_id: id });
    }
  });

  it.each(['channel', 'stream'])('is of type %s on the way in and `stream` on the way out', async (type) => {
    const { id, name } = await channel(owner);
    expect(await shown(owner, await idOf(send(owner, { type, to: id })))).toEqual({
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

  it('is refused in a channel that is not there', async () => {
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

  it('keeps its text as it is, except at the ends', async () => {
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
      (await shown(owner, await idOf(send(owner, { to: 'general', topic: written })), params))['subject'];
    expect(await topic('  lunch ')).toBe('lunch');
    expect(await topic('x'.repeat(61))).toBe(`${'x'.repeat(57)}...`);
    for (const empty of ['', ' ', '(no topic)', 'general chat']) expect(await topic(empty)).toBe('');
    expect(await topic('', {})).toBe('general chat');
    expect(await topic('General Chat')).toBe('General Chat');
  });

  it('is in one topic with those of other letter case, and keeps its own', async () => {
    const { id } = await channel(owner);
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

  it('renders mentions of people and channels for those who read it', async () => {
    const { id, name } = await channel(owner, { subscribers: [owner, member] });
    const content = `@**Mia** see #**${name}**, not @**Nobody**`;
    const message = await shown(member, await idOf(send(owner, { to: id, content })));
    expect(message.flags).toEqual(['mentioned']);
    expect(message['content']).toContain(`<span class="user-mention" data-user-id="${member.id}">@Mia</span>`);
    expect(message['content']).toContain(`data-stream-id="${id}"`);
    expect(message['content']).toContain('@<strong>Nobody</strong>');
  });

  it('says that it is about its sender', async () => {
    const message = await shown(owner, await idOf(send(owner, { to: 'general', content: '/me waves' })));
    expect(message['is_me_message']).toBe(true);
  });

  it('is read by its sender when the client is one that people read with, or as it says', async () => {
    const flags = async (params: Params, client: string) =>
      (await shown(owner, await idOf(send(owner, { to: 'general', ...params }, { 'user-agent': client })))).flags;
    expect(await flags({}, 'ZulipMobile/27 (iOS)')).toEqual(['read']);
    expect(await flags({}, 'ZulipPython/0.9')).toEqual([]);
    expect(await flags({ read_by_sender: true }, 'ZulipPython/0.9')).toEqual(['read']);
    expect(await flags({ read_by_sender: false }, 'ZulipMobile/27')).toEqual([]);
  });
});

describe('posting in a channel', () => {
  it('that is private is for subscribers, and for their bots', async () => {
    const { id } = await channel(owner, { invite_only: true, subscribers: [owner, member] });
    expect((await send(member, { to: id })).status).toBe(200);
    expect((await send(await server.bot(member), { to: id })).status).toBe(200);
    for (const by of [other, guest, await server.bot(other)]) {
      expect(await send(by, { to: id })).toMatchObject(refused('BAD_REQUEST'));
    }
  });

  it('that is private with shared history is also for groups that read it', async () => {
    const readers = { can_subscribe_group: { direct_members: [other.id], direct_subgroups: [] } };
    const shared = await channel(owner, { invite_only: true, history_public_to_subscribers: true, ...readers });
    const kept = await channel(owner, { invite_only: true, ...readers });
    expect((await send(other, { to: shared.id })).status).toBe(200);
    expect(await send(other, { to: kept.id })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('that is public is for all but guests, who must be subscribed', async () => {
    const { id } = await channel(owner, { subscribers: [owner] });
    expect((await send(other, { to: id })).status).toBe(200);
    expect(await send(guest, { to: id })).toMatchObject(refused('BAD_REQUEST'));
    const theirs = await channel(owner, { subscribers: [owner, guest] });
    expect((await send(guest, { to: theirs.id })).status).toBe(200);
  });

  it('is for whom the channel lets, or lets the owner of a bot', async () => {
    const { id } = await channel(owner, { can_send_message_group: groups['administrators'] });
    expect(await send(member, { to: id })).toMatchObject(refused('BAD_REQUEST'));
    expect(await send(await server.bot(member), { to: id })).toMatchObject(refused('BAD_REQUEST'));
    expect((await send(await server.bot(owner), { to: id })).status).toBe(200);
  });

  it('in a new topic is for whom the channel lets begin topics', async () => {
    const { id } = await channel(owner, { can_create_topic_group: groups['administrators'] });
    expect(await send(member, { to: id, topic: 'new' })).toMatchObject(refused('BAD_REQUEST'));
    expect((await send(owner, { to: id, topic: 'New' })).status).toBe(200);
    expect((await send(member, { to: id, topic: 'new' })).status).toBe(200);
  });

  it('keeps to the topics policy, of the channel or of the organization', async () => {
    const only = await channel(owner, { topics_policy: 'empty_topic_only' });
    const named = await channel(owner, { topics_policy: 'disable_empty_topic' });
    const inherits = await channel(owner);
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

  it('two first messages of a topic at once are both kept, in one topic for readers', async () => {
    const { id } = await channel(owner);
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
    big = await channel(owner, { subscribers: [owner, member, ...people] });
  });

  it('of more than fifteen is for whom the organization lets', async () => {
    const small = await channel(owner, { subscribers: [owner, member] });
    for (const content of ['@**all** hi', '@**everyone**', '@**channel**', '@**stream**']) {
      expect(await send(member, { to: big.id, content })).toMatchObject(refused('STREAM_WILDCARD_MENTION_NOT_ALLOWED'));
    }
    expect((await send(member, { to: small.id, content: '@**all** hi' })).status).toBe(200);
    expect((await send(member, { to: big.id, content: '@_**all** and `@**all**`' })).status).toBe(200);
    const id = await idOf(send(owner, { to: big.id, content: '@**all** hi' }));
    expect((await shown(member, id)).flags).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned']);
    const everyone = { can_mention_many_users_group: groups['everyone'] };
    await organization(everyone);
    expect((await send(member, { to: big.id, content: '@**all** hi' })).status).toBe(200);
    await organization({ can_mention_many_users_group: groups['administrators'] });
  });

  it('of a topic calls those who wrote in it', async () => {
    await send(member, { to: big.id, topic: 'few' });
    const id = await idOf(send(owner, { to: big.id, topic: 'few', content: '@**topic** hi' }));
    expect((await shown(member, id)).flags).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned']);
    const bystander = await server.person();
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals: [bystander.id] });
    const general = await idOf(send(owner, { to: 'general', topic: 'few', content: '@**topic** hi' }));
    expect((await shown(bystander, general)).flags).toEqual([]);
  });

  it('of a topic with more than fifteen writers is for whom the organization lets', async () => {
    const bots = await Promise.all(Array.from({ length: 16 }, () => server.bot(owner)));
    for (const bot of bots.slice(1)) await send(bot, { to: big.id, topic: 'many' });
    expect((await send(member, { to: big.id, topic: 'many', content: '@**topic**' })).status).toBe(200);
    expect(await send(member, { to: big.id, topic: 'many', content: '@**topic**' })).toMatchObject(
      refused('TOPIC_WILDCARD_MENTION_NOT_ALLOWED'),
    );
    expect((await send(owner, { to: big.id, topic: 'many', content: '@**topic**' })).status).toBe(200);
  });

  it('of a group needs to be allowed by the group', async () => {
    expect(await send(owner, { to: 'general', content: '@*role:members* hi' })).toMatchObject(refused('BAD_REQUEST'));
    expect((await send(owner, { to: 'general', content: '@_*role:members* and @*nobody knows*' })).status).toBe(200);
  });
});

describe('a direct message', () => {
  const people = (message: Message) => (message['display_recipient'] as { id: number }[]).map(({ id }) => id);

  it('names people by ids or addresses, themselves included or not, and is one conversation', async () => {
    const ways = [[member.id], [member.id, owner.id], [member.email], member.email, `${member.email}, ${owner.email}`];
    const messages = await Promise.all(ways.map(async (to) => shown(owner, await idOf(direct(owner, to)))));
    for (const message of messages) {
      expect(people(message)).toEqual([owner.id, member.id].sort((a, b) => a - b));
      expect(message).toMatchObject({ type: 'private', subject: '' });
      expect(message).not.toHaveProperty('stream_id');
    }
    const back = await shown(owner, await idOf(direct(member, [owner.id])));
    expect(new Set([...messages, back].map(({ recipient_id }) => recipient_id)).size).toBe(1);
  });

  it.each(['direct', 'private'])('is of type %s on the way in', async (type) => {
    const message = await shown(member, await idOf(direct(owner, [member.id, other.id], { type, topic: '\u0007' })));
    expect(message['display_recipient']).toEqual(
      [owner, member, other]
        .map(({ id, email }) => ({ id, email, full_name: expect.any(String) as string, is_mirror_dummy: false }))
        .sort((a, b) => a.id - b.id),
    );
  });

  it('may go to oneself', async () => {
    expect(people(await shown(owner, await idOf(direct(owner, [owner.id]))))).toEqual([owner.id]);
  });

  it('is for those in the conversation', async () => {
    const id = await idOf(direct(owner, [member.id]));
    expect(await other.get(`/messages/${id}`)).toMatchObject(refused('BAD_REQUEST'));
    expect((await shown(member, id))['sender_id']).toBe(owner.id);
  });

  it.each<[string, unknown]>([
    ['nobody', []],
    ['an empty text', ''],
    ['no `to`', undefined],
    ['an unknown id', [999_999]],
    ['an id beyond any', [2 ** 45]],
    ['an unknown address', ['nobody@example.com']],
    ['a number', 5],
    ['an object', { id: 5 }],
    ['a fraction', [1.5]],
  ])('is refused to %s', async (_, to) => {
    expect(await direct(owner, to)).toMatchObject(refused('BAD_REQUEST'));
  });

  it('is refused to ids mixed with addresses, and to people who are gone', async () => {
    expect(await direct(owner, [member.id, other.email])).toMatchObject(refused('BAD_REQUEST'));
    const gone = await server.person();
    await owner.delete(`/users/${gone.id}`);
    expect(await direct(owner, [gone.id])).toMatchObject(refused('BAD_REQUEST'));
    expect(await direct(owner, [gone.id, member.id])).toMatchObject(refused('BAD_REQUEST'));
  });

  it('needs somebody with the permission, unless bots are among themselves or it is for oneself', async () => {
    const bot = await server.bot(member);
    await organization({ direct_message_permission_group: groups['administrators'] });
    expect(await direct(member, [other.id])).toMatchObject(refused('BAD_REQUEST'));
    expect((await direct(member, [owner.id])).status).toBe(200);
    expect((await direct(member, [member.id])).status).toBe(200);
    expect((await direct(member, [bot.id])).status).toBe(200);
    expect((await direct(bot, [other.id])).status).toBe(200);
    await organization({ direct_message_permission_group: groups['nobody'] });
    expect(await direct(owner, [member.id])).toMatchObject(refused('BAD_REQUEST'));
    await organization({ direct_message_permission_group: groups['everyone'] });
  });

  it('is begun by those who may begin, and continued by others', async () => {
    const [one, two] = [await server.person(), await server.person()];
    await direct(one, [two.id]);
    await organization({ direct_message_initiator_group: groups['administrators'] });
    expect((await direct(two, [one.id])).status).toBe(200);
    expect(await direct(one, [other.id])).toMatchObject(refused('BAD_REQUEST'));
    expect((await direct(owner, [one.id])).status).toBe(200);
    await organization({ direct_message_initiator_group: groups['everyone'] });
  });

  it('begun twice at once is one conversation', async () => {
    const newcomer = await server.person();
    const ids = await Promise.all([
      idOf(direct(owner, [newcomer.id])),
      idOf(direct(newcomer, [owner.id])),
      idOf(direct(owner, [newcomer.id])),
    ]);
    const messages = await Promise.all(ids.map((id) => shown(newcomer, id)));
    expect(new Set(messages.map(({ recipient_id }) => recipient_id)).size).toBe(1);
  });
});

describe('what clients hear of a new message', () => {
  const hears = async (who: Person, act: () => Promise<unknown>, wish: Params = {}) =>
    (await who.receive(act, { event_types: ['message'], ...wish })) as unknown as (WireEvent & {
      message: Message;
      flags: string[];
      local_message_id?: string;
    })[];

  it('is the message as they would fetch it, with their flags beside it', async () => {
    const { id } = await channel(owner, { subscribers: [owner, member] });
    let sent = 0;
    const act = async () => {
      sent = await idOf(send(owner, { to: id, content: '@**Mia** **bold**' }));
    };
    const [event] = await hears(member, act, { apply_markdown: true, client_gravatar: false });
    const { flags, ...message } = await shown(member, sent);
    expect(event).toMatchObject({ type: 'message', flags: ['mentioned'], message });
    expect(event).not.toHaveProperty('local_message_id');
    expect(event?.message).not.toHaveProperty('flags');
    expect(flags).toEqual(['mentioned']);
    const [raw] = await hears(member, act);
    expect(raw?.message).toMatchObject({
      content: '@**Mia** **bold**',
      content_type: 'text/x-markdown',
      avatar_url: null,
    });
  });

  it('reaches subscribers, those who are called and the sender, not who merely could read', async () => {
    const { id } = await channel(owner, { subscribers: [member] });
    const act = () => send(owner, { to: id, content: 'hello @**Otto**' });
    expect(await hears(member, act)).toHaveLength(1);
    expect(await hears(owner, act)).toHaveLength(1);
    expect(await hears(other, act)).toMatchObject([{ flags: ['mentioned'] }]);
    const administrator = await server.person({ role: 'administrator' });
    expect(await hears(administrator, act)).toEqual([]);
    expect(await hears(administrator, act, { all_public_streams: true })).toHaveLength(1);
  });

  it('in a private channel does not reach who is called from outside', async () => {
    const { id } = await channel(owner, { invite_only: true, subscribers: [owner, member] });
    expect(await hears(other, () => send(owner, { to: id, content: 'hello @**Otto**' }))).toEqual([]);
  });

  it('sent directly reaches both sides and nobody else', async () => {
    const act = () => direct(owner, [member.id]);
    expect(await hears(member, act)).toHaveLength(1);
    expect(await hears(owner, act, {})).toHaveLength(1);
    expect(await hears(other, act, { all_public_streams: true })).toEqual([]);
  });

  it('tells the queue that sent it which draft it was, and no other', async () => {
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

  it('has the empty topic as the client knows it', async () => {
    const act = () => send(owner, { to: 'general', topic: '' });
    const subject = async (empty_topic_name: boolean) =>
      (await hears(member, act, { client_capabilities: { empty_topic_name } }))[0]?.message['subject'];
    expect(await subject(true)).toBe('');
    expect(await subject(false)).toBe('general chat');
  });
});

describe('what a client begins with', () => {
  it('is what it has not read: direct, of groups, of channels, and where it was called', async () => {
    const [me, friend, third] = [await server.person({ name: 'Uma' }), await server.person(), await server.person()];
    const id = await server.channel(owner, { name: fresh(), subscribers: [owner, me] });
    const to = { channel: [] as number[], empty: [] as number[], friend: [] as number[], group: [] as number[] };
    to.channel.push(await idOf(send(owner, { to: id })), await idOf(send(owner, { to: id, content: '@**Uma**' })));
    to.empty.push(await idOf(send(owner, { to: id, topic: '' })));
    to.friend.push(await idOf(direct(friend, [me.id])));
    to.group.push(await idOf(direct(friend, [me.id, third.id])));
    const noted = await idOf(direct(me, [me.id]));
    await idOf(direct(me, [friend.id], { read_by_sender: true }));
    await idOf(send(owner, { to: await server.channel(owner, { name: fresh() }) }));
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
    const newest = await idOf(direct(friend, [me.id]));
    expect((await me.register())['max_message_id']).toBe(newest);
  });

  it('is empty for somebody to whom nobody wrote', async () => {
    const newcomer = await server.person();
    expect(await newcomer.register()).toMatchObject({
      max_message_id: -1,
      recent_private_conversations: [],
      unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
    });
  });
});
