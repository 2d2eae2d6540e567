import type { Params } from '../support/caller';
import { startCast } from '../support/cast';
import type { Message } from '../support/messages';
import { idOf, messageSeen, send } from '../support/messages';
import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';

let server: TestServer;
let owner: Person;
let member: Person;
beforeAll(async () => ({ server, owner, member } = await startCast()));
afterAll(() => server.close());

const refused = (code: string, more: object = {}) => ({ status: 400, body: { result: 'error', code, ...more } });

describe('a channel message', () => {
  it('is answered by its id, which grows', async () => {
    const { id } = await server.namedChannel(owner);
    const { status, body } = await send(owner, { to: id });
    expect({ status, body }).toEqual({
      status: 200,
      body: { result: 'success', msg: '', id: expect.any(Number) as number, automatic_new_visibility_policy: 3 },
    });
    expect(await idOf(send(owner, { to: id }))).toBeGreaterThan(body.id);
  });

  it('names its channel by id or name, alone or in a list', async () => {
    const { id, name } = await server.namedChannel(owner);
    for (const to of [id, [id], name, name.toUpperCase(), `"${name}"`, [name], ` ${name} `]) {
      expect(await messageSeen(owner, await idOf(send(owner, { to })))).toMatchObject({ stream_id: id });
    }
  });

  it.each(['channel', 'stream'])('is of type %s on the way in and `stream` on the way out', async (type) => {
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
      (await messageSeen(owner, await idOf(send(owner, { to: 'general', topic: written })), params))['subject'];
    expect(await topic('  lunch ')).toBe('lunch');
    expect(await topic('x'.repeat(61))).toBe(`${'x'.repeat(57)}...`);
    for (const empty of ['', ' ', '(no topic)', 'general chat']) expect(await topic(empty)).toBe('');
    expect(await topic('', {})).toBe('general chat');
    expect(await topic('General Chat')).toBe('General Chat');
  });

  it('is in one topic with those of other letter case, and keeps its own', async () => {
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

  it('renders mentions of people and channels for those who read it', async () => {
    const { id, name } = await server.namedChannel(owner, { subscribers: [owner, member] });
    const content = `@**Mia** see #**${name}**, not @**Nobody**`;
    const message = await messageSeen(member, await idOf(send(owner, { to: id, content })));
    expect(message.flags).toEqual(['mentioned']);
    expect(message['content']).toContain(`<span class="user-mention" data-user-id="${member.id}">@Mia</span>`);
    expect(message['content']).toContain(`data-stream-id="${id}"`);
    expect(message['content']).toContain('@<strong>Nobody</strong>');
  });

  it('says that it is about its sender', async () => {
    const message = await messageSeen(owner, await idOf(send(owner, { to: 'general', content: '/me waves' })));
    expect(message['is_me_message']).toBe(true);
  });

  it('is read by its sender when the client is one that people read with, or as it says', async () => {
    const flags = async (params: Params, client: string) =>
      (await messageSeen(owner, await idOf(send(owner, { to: 'general', ...params }, { 'user-agent': client })))).flags;
    expect(await flags({}, 'ZulipMobile/27 (iOS)')).toEqual(['read']);
    expect(await flags({}, 'ZulipPython/0.9')).toEqual([]);
    expect(await flags({ read_by_sender: true }, 'ZulipPython/0.9')).toEqual(['read']);
    expect(await flags({ read_by_sender: false }, 'ZulipMobile/27')).toEqual([]);
  });
});
