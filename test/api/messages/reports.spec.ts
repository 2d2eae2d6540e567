import type { Caller, Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startWithUsers } from '../../support/server/start-with-users';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
let moderation: number;
let plans: number;
let secret: number;
beforeAll(async () => {
  ({ server, owner, member, other, guest } = await startWithUsers());
  const subscribers = [owner];
  moderation = await server.channel(owner, { name: 'reports', invite_only: true, subscribers });
  plans = await server.channel(owner, { name: 'plans', subscribers: [owner, member] });
  secret = await server.channel(owner, { name: 'secret', invite_only: true, subscribers: [owner, member] });
  granted(await owner.patch('/realm', { moderation_request_channel_id: moderation }));
});
afterAll(() => server.close());

interface Shown {
  readonly content: string;
  readonly subject: string;
  readonly sender_full_name: string;
}
const send = async (by: Person, to: Params) =>
  granted(await by.post<{ id: number }>('/messages', { topic: 'lunch', content: 'You **fool**', ...to })).id;
const inChannel = (by: Person, to = plans) => send(by, { type: 'channel', to });
const report = (by: Caller, id: number, params: Params = {}) =>
  by.post(`/messages/${id}/report`, { report_type: 'harassment', ...params });
const refused = (msg: string) => ({ status: 400, body: { code: 'BAD_REQUEST', msg } });
const INVALID = refused('Invalid message(s)');

/** What the moderators received. */
async function reports(apply_markdown = false): Promise<Shown[]> {
  const narrow = [{ operator: 'channel', operand: moderation }];
  const page = { narrow, anchor: 'newest', num_before: 50, num_after: 0, apply_markdown };
  const { messages } = granted(await owner.get<{ messages: Shown[] }>('/messages', page));
  return messages.filter(({ sender_full_name }) => sender_full_name === 'Notification Bot');
}
const newest = async (apply_markdown = false) => (await reports(apply_markdown)).at(-1);

describe('POST /messages/{message_id}/report', () => {
  it('sends a message of the notification bot to the moderators, and to nobody else', async () => {
    const id = await inChannel(member);
    const at = new Date(server.clock.now()).toISOString();
    const events: unknown[] = [];
    const act = async () => {
      const { status, body } = await report(other, id, { description: ' Look at this ' });
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    };
    const elsewhere = await member.receive(async () => events.push(...(await owner.receive(act, 'message'))));
    expect(events).toMatchObject([{ type: 'message', message: { stream_id: moderation } }]);
    expect(elsewhere).toEqual([]);
    const [by, author] = [`@_**Otto|${other.id}**`, `@_**Mia|${member.id}**`];
    expect(await newest()).toMatchObject({
      subject: 'Mia moderation',
      content: [
        `${by} reported a message sent by ${author} at <time:${at}>.`,
        '```quote\n**Harassment**. Look at this\n```',
        '',
        `\`\`\`spoiler Original message at #**plans>lunch@${id}**\nYou **fool**\n\`\`\``,
      ].join('\n'),
    });
    const { content = '' } = (await newest(true)) ?? {};
    expect(content).toContain('class="spoiler-block"');
    expect(content).toContain(`/near/${id}"`);
    expect(content).toContain(`data-user-id="${member.id}"`);
  });

  it('links to a message in a topic that a link cannot name', async () => {
    const id = await send(member, { type: 'channel', to: plans, topic: '2*3' });
    granted(await report(other, id));
    const { content = '' } = (await newest(true)) ?? {};
    expect(content).toContain('class="spoiler-block"');
    expect(content).toContain(`/#narrow/channel/${plans}-plans/topic/2.2A3/near/${id}"`);
  });

  it('accepts every reason that POST /register lists', async () => {
    const registered = await member.register({ fetch_event_types: ['realm'] });
    const types = registered['server_report_message_types'] as readonly { key: string; name: string }[];
    const id = await inChannel(member);
    for (const { key, name } of types) {
      granted(await report(member, id, { report_type: key, description: key === 'other' ? 'so' : undefined }));
      expect((await newest())?.content).toContain(`**${name}**.`);
    }
    expect(types).toHaveLength(5);
  });

  it.each<[string, Params, object]>([
    ['another reason without an explanation', { report_type: 'other' }, refused('An explanation is required.')],
    ['a blank one', { report_type: 'other', description: '  ' }, refused('An explanation is required.')],
    ['an unknown reason', { report_type: 'boring' }, refused('Invalid report_type')],
    ['no reason', { report_type: undefined }, { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } }],
    ['a long explanation', { description: 'x'.repeat(1_001) }, { status: 400 }],
  ])('refuses %s', async (_, params, expected) => {
    const id = await inChannel(member);
    const before = await reports();
    expect(await report(other, id, params)).toMatchObject(expected);
    expect(await reports()).toEqual(before);
  });

  it('is allowed to everybody who can read the message, and to nobody else', async () => {
    const [open, hidden, direct] = [
      await inChannel(member),
      await inChannel(member, secret),
      await send(member, { type: 'direct', to: [other.id, guest.id] }),
    ];
    const bot = await server.bot(member);
    for (const [by, id] of [
      [other, open],
      [bot, open],
      [owner, hidden],
      [guest, direct],
    ] as const) {
      granted(await report(by, id, { report_type: 'spam' }));
    }
    expect((await newest())?.content).toContain(`to @_**Otto|${other.id}** and @_**Gus|${guest.id}**`);
    const before = await reports();
    for (const [by, id] of [
      [guest, open],
      [other, hidden],
      [owner, direct],
      [owner, direct + 1_000_000],
    ] as const) {
      expect(await report(by, id)).toMatchObject(INVALID);
    }
    expect(await report(server.anonymous, open)).toMatchObject({ status: 401 });
    expect(await reports()).toEqual(before);
  });

  it('includes messages in archived channels, but no deleted ones', async () => {
    const over = await server.channel(owner, { name: 'over', subscribers: [owner, member] });
    const id = await inChannel(member, over);
    granted(await owner.delete(`/streams/${over}`));
    granted(await report(member, id));
    const gone = await inChannel(member);
    granted(await owner.delete(`/messages/${gone}`));
    expect(await report(member, gone)).toMatchObject(INVALID);
  });

  it('uses the empty topic where the channel has no other', async () => {
    const single = await server.channel(owner, { name: 'single', invite_only: true, subscribers: [owner] });
    granted(await owner.patch(`/streams/${single}`, { topics_policy: 'empty_topic_only' }));
    granted(await owner.patch('/realm', { moderation_request_channel_id: single }));
    granted(await report(other, await inChannel(member)));
    const narrow = [{ operator: 'channel', operand: single }];
    const page = { narrow, anchor: 'newest', num_before: 1, num_after: 0, allow_empty_topic_name: true };
    const { messages } = granted(await owner.get<{ messages: Shown[] }>('/messages', page));
    expect(messages).toMatchObject([{ subject: '', sender_full_name: 'Notification Bot' }]);
    granted(await owner.patch('/realm', { moderation_request_channel_id: moderation }));
  });

  it('needs a channel for reports', async () => {
    const id = await inChannel(member);
    const disabled = refused('Message reporting is not enabled in this organization.');
    granted(await owner.patch('/realm', { moderation_request_channel_id: -1 }));
    expect(await report(other, id)).toMatchObject(disabled);
    granted(await owner.patch('/realm', { moderation_request_channel_id: moderation }));
    granted(await report(other, id));
    granted(await owner.delete(`/streams/${moderation}`));
    expect(await report(other, id)).toMatchObject(disabled);
    await server.ensureLaws();
  });
});
