import type { ChannelChange } from '@annals/channels';
import { ChannelNotices } from '@annals/channels';
import { GroupNotices } from '@annals/groups';
import type { ChannelId, GroupId, UserId } from '@annals/kernel/domain';
import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { systemGroups } from '../../support/requests/groups';
import type { Notice } from '../../support/requests/notices';
import { actAs, inChannel, provided, read, subscribe, texts } from '../../support/requests/notices';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let bob: Person;
let bot: number;
let made = 0;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person({ name: 'Ann Example' });
  bob = await server.person({ name: 'Bob Example' });
  const { cross_realm_bots } = await owner.register({ fetch_event_types: ['realm_user'] });
  bot = (cross_realm_bots as { user_id: number }[])[0]?.user_id ?? 0;
});
afterAll(() => server.close());

const fresh = (what = 'room') => `${what} ${++made}`;
const settings = async (params: Params) => granted(await owner.patch('/realm', params));
const fromBot = async (by: Person) => read(by, [{ operator: 'dm', operand: [bot] }]);

describe('a new channel', () => {
  let announcements: ChannelId;
  beforeAll(async () => {
    announcements = await server.channel(owner, { name: 'town square', subscribers: [owner, ann, bob] });
  });
  afterEach(() => settings({ new_stream_announcements_stream_id: -1, send_channel_events_messages: false }));

  it('has no notices unless requested', async () => {
    await settings({ new_stream_announcements_stream_id: announcements });
    const id = await server.channel(ann, { name: fresh() });
    expect(await inChannel(ann, id)).toEqual([]);
    expect(await inChannel(ann, announcements)).toEqual([]);
    await settings({ new_stream_announcements_stream_id: -1 });
    await server.channel(ann, { name: fresh(), announce: true });
    expect(await inChannel(ann, announcements)).toEqual([]);
  });

  it('is announced in the channel of the organization, by the notification bot', async () => {
    await settings({ new_stream_announcements_stream_id: announcements });
    const name = fresh();
    const id = await server.channel(ann, { name, announce: true });
    const [message, ...others] = await inChannel(bob, announcements, 'new channels');
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      sender_id: bot,
      client: 'Internal',
      subject: 'new channels',
      content: `@_**Ann Example|${ann.id}** created the channel #**${name}**.`,
      flags: [],
    });
    expect((await inChannel(ann, announcements)).at(-1)?.flags).toEqual(['read']);
    const [html] = await read(bob, [{ operator: 'id', operand: message?.id }], true);
    expect(html?.content).toContain(`<span class="user-mention silent" data-user-id="${ann.id}">Ann Example</span>`);
    expect(html?.content).toContain(`data-stream-id="${id}"`);
  });

  it('is announced once with all channels of the request, except private ones', async () => {
    await settings({ new_stream_announcements_stream_id: announcements });
    const before = texts(await inChannel(bob, announcements));
    const names = [fresh(), fresh()];
    granted(await subscribe(ann, names, [ann, bob], { announce: true }));
    await server.channel(ann, { name: fresh('secret'), invite_only: true, announce: true });
    const notices = texts(await inChannel(bob, announcements)).slice(before.length);
    expect(notices).toEqual([`@_**Ann Example|${ann.id}** created the channels #**${names[0]}**, #**${names[1]}**.`]);
    expect((await subscribe(ann, names, [ann], { announce: true })).status).toBe(200);
    expect(texts(await inChannel(bob, announcements))).toHaveLength(before.length + 1);
  });

  it('starts with a notice of its own where the organization enables that', async () => {
    await settings({ send_channel_events_messages: true });
    const id = await server.channel(ann, { name: fresh(), subscribers: [ann, bob], invite_only: true });
    expect(await inChannel(bob, id, 'channel events')).toMatchObject([
      {
        sender_id: bot,
        client: 'Internal',
        flags: [],
        content: `@_**Ann Example|${ann.id}** created this channel. It is **private, with protected history**.`,
      },
    ]);
    expect(await inChannel(ann, id)).toMatchObject([{ flags: ['read'] }]);
    const { subscriptions } = granted(
      await ann.get<{ subscriptions: { stream_id: number; first_message_id: number }[] }>('/users/me/subscriptions'),
    );
    const [first] = await inChannel(ann, id);
    expect(subscriptions.find(({ stream_id }) => stream_id === id)?.first_message_id).toBe(first?.id);
  });

  it('without topics has its notices and announcements in the empty topic', async () => {
    const quiet = await server.channel(owner, { subscribers: [ann], topics_policy: 'empty_topic_only' });
    await settings({ new_stream_announcements_stream_id: quiet, send_channel_events_messages: true });
    const input = { subscribers: [ann, bob], topics_policy: 'empty_topic_only', announce: true };
    const id = await server.channel(owner, input);
    expect(await inChannel(ann, quiet)).toMatchObject([{ subject: '' }]);
    expect(await inChannel(bob, id)).toMatchObject([{ subject: '' }]);
  });

  it('is sent as channel, subscription, peers and messages, in this order', async () => {
    await settings({ new_stream_announcements_stream_id: announcements, send_channel_events_messages: true });
    const received = (events: readonly WireEvent[]) => events.map(({ type, op }) => `${type} ${op ?? ''}`.trim());
    const create = () => server.channel(ann, { name: fresh(), subscribers: [ann, bob], announce: true });
    const types = { event_types: ['stream', 'subscription', 'message'], apply_markdown: false };
    let mine: readonly WireEvent[] = [];
    const theirs = await bob.receive(async () => {
      mine = await ann.receive(create, types);
    }, types);
    expect(received(theirs)).toEqual(['stream create', 'subscription add', 'message', 'message']);
    expect(received(mine)).toEqual(received(theirs));
    const messages = (events: readonly WireEvent[]) =>
      events.filter(({ type }) => type === 'message') as unknown as { message: Notice; flags: string[] }[];
    expect(messages(theirs).map(({ message, flags }) => [message.subject, flags])).toEqual([
      ['new channels', []],
      ['channel events', []],
    ]);
    expect(messages(mine).map(({ flags }) => flags)).toEqual([['read'], ['read']]);
  });
});

describe('users who are subscribed by another user', () => {
  it('get one notice about all existing channels', async () => {
    const [carl, dora] = [await server.person(), await server.person({ role: 'guest' })];
    const helper = await server.bot(ann);
    const [one, two, added] = [fresh(), fresh(), fresh()];
    for (const name of [one, two]) await server.channel(ann, { name });
    const answer = await subscribe(ann, [one, two, added], [ann, carl, dora, helper]);
    expect(granted(answer)).toMatchObject({ new_subscription_messages_sent: true });
    for (const person of [carl, dora]) {
      expect(await fromBot(person)).toMatchObject([
        {
          sender_id: bot,
          client: 'Internal',
          flags: [],
          content: `@_**Ann Example|${ann.id}** subscribed you to these channels:\n\n* #**${one}**\n* #**${two}**`,
        },
      ]);
    }
    expect(await fromBot(ann)).toEqual([]);
    const all = await read(helper, []);
    expect(all.filter(({ sender_id }) => sender_id === bot)).toEqual([]);
  });

  it('get a notice of each request in the same conversation, as unread', async () => {
    const carl = await server.person();
    const [one, two] = [fresh(), fresh()];
    for (const name of [one, two]) await server.channel(ann, { name });
    const events = await carl.receive(
      async () => {
        granted(await subscribe(ann, [one], [carl]));
        granted(await subscribe(ann, [two], [carl]));
        granted(await subscribe(ann, [two], [carl]));
      },
      { event_types: ['message'], apply_markdown: false },
    );
    const notices = events as unknown as { message: Notice & { type: string }; flags: string[] }[];
    expect(notices.map(({ message }) => message.content)).toEqual(
      [one, two].map((name) => `@_**Ann Example|${ann.id}** subscribed you to the channel #**${name}**.`),
    );
    expect(notices.map(({ message, flags }) => [message.type, flags])).toEqual([
      ['private', []],
      ['private', []],
    ]);
    const { recent_private_conversations, unread_msgs } = await carl.register();
    expect(recent_private_conversations).toEqual([{ user_ids: [bot], max_message_id: notices[1]?.message.id }]);
    expect(unread_msgs).toMatchObject({ count: 2, pms: [{ other_user_id: bot, sender_id: bot }] });
  });

  it('get notices of concurrent requests, in one conversation, and so do readers of announcements', async () => {
    const carl = await server.person();
    const names = Array.from({ length: 5 }, () => fresh());
    for (const name of names) await server.channel(ann, { name });
    const asked = await Promise.all(names.map((name) => subscribe(ann, [name], [carl])));
    expect(asked.map(({ status }) => status)).toEqual(names.map(() => 200));
    const received = await fromBot(carl);
    expect(texts(received).sort()).toEqual(
      names.map((name) => `@_**Ann Example|${ann.id}** subscribed you to the channel #**${name}**.`).sort(),
    );
    const square = await server.channel(owner);
    await settings({ new_stream_announcements_stream_id: square });
    await Promise.all(names.map((name) => server.channel(ann, { name: `${name} too`, announce: true })));
    await settings({ new_stream_announcements_stream_id: -1 });
    expect(await inChannel(ann, square, 'new channels')).toHaveLength(names.length);
    const { topics } = granted(await ann.get<{ topics: { name: string }[] }>(`/users/me/${square}/topics`));
    expect(topics.map(({ name }) => name)).toEqual(['new channels']);
  });

  it('get no notice if it is disabled, nor about new channels', async () => {
    const carl = await server.person();
    const name = fresh();
    await server.channel(ann, { name });
    const quiet = await subscribe(ann, [name], [carl], { send_new_subscription_messages: false });
    expect(granted(quiet)).not.toHaveProperty('new_subscription_messages_sent');
    await server.channel(ann, { subscribers: [carl] });
    granted(await subscribe(ann, [fresh()], [carl]));
    expect(await fromBot(carl)).toEqual([]);
  });

  it('get no notice if they are more than a hundred', async () => {
    const many = Array.from({ length: 101 }, (_, n) => ({ userId: (1_000 + n) as UserId, channels: [] }));
    const sent: boolean[] = [];
    await actAs(server, ann, async (unit) => {
      sent.push(await provided(server, ChannelNotices).subscribed(unit, many));
      sent.push(await provided(server, ChannelNotices).subscribed(unit, many.slice(1)));
    });
    expect(sent).toEqual([false, true]);
  });

  it('get notices even if they may not receive direct messages', async () => {
    const groups = await systemGroups(owner);
    await settings({ direct_message_permission_group: { new: groups['nobody'] } });
    const carl = await server.person();
    const name = fresh();
    await server.channel(ann, { name });
    granted(await subscribe(ann, [name], [carl]));
    expect(await fromBot(carl)).toHaveLength(1);
    await settings({ direct_message_permission_group: { new: groups['everyone'] } });
  });
});

describe('a change of a channel', () => {
  const change = (channel: ChannelId, ...changes: readonly ChannelChange[]) =>
    actAs(server, ann, async (work) => {
      for (const one of changes) await provided(server, ChannelNotices).changed(work, channel, one);
    });
  const open = { inviteOnly: false, isWebPublic: false, historyPublicToSubscribers: true };
  let channel: ChannelId;
  beforeAll(async () => (channel = await server.channel(ann, { subscribers: [ann, bob] })));
  beforeEach(() => settings({ send_channel_events_messages: true }));
  afterAll(() => settings({ send_channel_events_messages: false }));

  it('has a notice in the channel with the values before and after', async () => {
    const everyone = (await systemGroups(owner))['everyone'] as GroupId;
    const some = { directMembers: [bob.id], directSubgroups: [] };
    await change(
      channel,
      { kind: 'name', before: 'plans', after: 'Plans`' },
      { kind: 'description', before: '', after: 'for @**all** of https://example.com' },
      { kind: 'privacy', before: open, after: { ...open, inviteOnly: true } },
      { kind: 'posting', before: everyone, after: some },
      { kind: 'retention', before: null, after: -1 },
      { kind: 'retention', before: 1, after: 30 },
      { kind: 'topics policy', before: 'inherit', after: 'disable_empty_topic' },
      { kind: 'archived' },
      { kind: 'unarchived' },
    );
    const messages = await inChannel(bob, channel, 'channel events');
    const by = `@_**Ann Example|${ann.id}**`;
    expect(texts(messages)).toEqual([
      `${by} renamed this channel from \`plans\` to \`Plans´\`.`,
      `${by} changed the description of this channel.\n\nBefore: none.\n\nNow:\n\`\`\`quote\nfor @**all** of https://example.com\n\`\`\``,
      `${by} made this channel **private, with shared history**. It was **public**.`,
      `${by} changed who can send messages in this channel: from @_*role:everyone* to @_**Bob Example|${bob.id}**.`,
      `${by} changed how long messages of this channel are kept: from **as long as the organization keeps messages** to **for ever**.`,
      `${by} changed how long messages of this channel are kept: from **1 day** to **30 days**.`,
      `${by} changed the use of topics in this channel: from **as the organization has it** to **a topic for every message**.`,
      `${by} archived this channel.`,
      `${by} took this channel out of the archive.`,
    ]);
    expect(messages.map(({ flags }) => flags)).toEqual(messages.map(() => []));
    expect((await inChannel(ann, channel)).every(({ flags }) => flags.includes('read'))).toBe(true);
    const topics = await server.kernel.database.pool.query('SELECT FROM view.topics WHERE channel_id = $1', [channel]);
    expect(topics.rows).toHaveLength(1);
  });

  it('has no notice where the organization disabled it', async () => {
    await settings({ send_channel_events_messages: false });
    const before = await inChannel(bob, channel);
    await change(channel, { kind: 'unarchived' });
    expect(await inChannel(bob, channel)).toEqual(before);
  });
});

describe('a change of a group', () => {
  it('has a notice for users whom another user added or removed', async () => {
    const [carl, dora, former] = [await server.person(), await server.person(), await server.person()];
    const helper = await server.bot(ann);
    granted(await owner.delete(`/users/${former.id}`));
    const group = { id: 99 as GroupId, name: 'gardeners' };
    await actAs(server, ann, (work) =>
      provided(server, GroupNotices).membersChanged(work, group, [ann.id, carl.id, helper.id], [dora.id, former.id]),
    );
    const by = `@_**Ann Example|${ann.id}**`;
    expect(texts(await fromBot(carl))).toEqual([`${by} added you to the group @_*gardeners*.`]);
    expect(texts(await fromBot(dora))).toEqual([`${by} removed you from the group @_*gardeners*.`]);
    expect(await fromBot(ann)).toEqual([]);
    const [html] = await read(carl, [{ operator: 'dm', operand: [bot] }], true);
    expect(html?.content).toContain('<span class="user-group-mention silent" data-user-group-id="99">gardeners</span>');
  });
});
