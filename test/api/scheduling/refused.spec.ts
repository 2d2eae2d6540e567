import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import { inMinutes, schedule, scheduleMany, scheduledId, scheduledOf } from '../../support/requests/scheduling';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
let groups: Readonly<Record<string, number>>;
let channel: number;
beforeAll(async () => {
  ({ server, owner, member, other, guest, groups } = await startWithUsers());
  channel = await server.channel(owner, { subscribers: [owner, member, other] });
});
afterAll(() => server.close());

const due = () => inMinutes(server, 5);
const refused = (code = 'BAD_REQUEST', more: object = {}) => ({
  status: 400,
  body: { result: 'error', code, ...more },
});
/** The answer to the author, on a list that must not change. */
const refusedTo = async (by: Person, params: object) => {
  const before = await scheduledOf(by);
  const answer = await schedule(by, { scheduled_delivery_timestamp: due(), ...params });
  expect(await scheduledOf(by)).toEqual(before);
  return answer;
};

describe('POST /scheduled_messages', () => {
  it('refuses more than a thousand messages and reminders that wait or have failed', async () => {
    const writer = await server.person();
    await scheduleMany(server.kernel, writer, 999);
    const plan = { type: 'direct', to: [writer.id], scheduled_delivery_timestamp: due() };
    const last = await scheduledId(schedule(writer, plan));
    const text = 'There are 1000 scheduled messages and reminders already.';
    expect(await schedule(writer, plan)).toMatchObject(refused('BAD_REQUEST', { msg: text }));
    const reminder = { note: 'later', scheduled_delivery_timestamp: due() };
    expect(await writer.post('/reminders', reminder)).toMatchObject(refused('BAD_REQUEST', { msg: text }));
    granted(await writer.delete(`/scheduled_messages/${last}`));
    granted(await writer.post('/reminders', reminder));
  });

  it.each<[string, () => object]>([
    ['an unknown type', () => ({ type: 'letter', to: channel })],
    ['a list for a channel', () => ({ to: [channel] })],
    ['the name of a channel', () => ({ to: 'lunch' })],
    ['a fraction for a channel', () => ({ to: 1.5 })],
    ['one person without a list', () => ({ type: 'direct', to: other.id })],
    ['addresses', () => ({ type: 'direct', to: [other.email] })],
    ['fractions of people', () => ({ type: 'private', to: [1.5] })],
    ['nobody', () => ({ type: 'direct', to: [] })],
    ['somebody unknown', () => ({ type: 'direct', to: [other.id, 999_999] })],
    ['somebody beyond all numbers', () => ({ type: 'direct', to: [Number.MAX_SAFE_INTEGER] })],
    [
      'more people than a message can have',
      () => ({ type: 'direct', to: Array.from({ length: 1_001 }, (_, n) => n + 1) }),
    ],
    ['no topic', () => ({ to: channel, topic: undefined })],
    ['a topic with a control character', () => ({ to: channel, topic: 'a\u0007b' })],
    ['a blank text', () => ({ to: channel, content: ' \n ' })],
    ['a text with NUL', () => ({ to: channel, content: 'a\u0000b' })],
    ['now', () => ({ to: channel, scheduled_delivery_timestamp: inMinutes(server, 0) })],
    ['a time in the past', () => ({ to: channel, scheduled_delivery_timestamp: inMinutes(server, -1) })],
    ['a time before time', () => ({ to: channel, scheduled_delivery_timestamp: -5 })],
    ['a time beyond all years', () => ({ to: channel, scheduled_delivery_timestamp: 253_402_300_800 })],
    ['a fraction of a second', () => ({ to: channel, scheduled_delivery_timestamp: due() + 0.5 })],
    ['a time beyond 53 bits', () => ({ to: channel, scheduled_delivery_timestamp: 2 ** 53 })],
    ['a time in other digits', () => ({ to: channel, scheduled_delivery_timestamp: `${due()}.0` })],
    ['a time as null', () => ({ to: channel, scheduled_delivery_timestamp: null })],
    ['a topic with NUL', () => ({ to: channel, topic: 'a\u0000' })],
    ['a topic that is no character', () => ({ to: channel, topic: '\ufffe' })],
    ['null for a channel', () => ({ to: null })],
    ['channels in a list of lists', () => ({ to: [[1]] })],
    ['people and no people', () => ({ type: 'direct', to: [1, null] })],
    ['no word for read_by_sender', () => ({ to: channel, read_by_sender: 'perhaps' })],
  ])('refuses %s', async (_, params) => {
    expect(await refusedTo(member, params())).toMatchObject(refused());
  });

  it.each(['type', 'to', 'content', 'scheduled_delivery_timestamp'])('requires %s', async (var_name) => {
    const params = { to: channel, [var_name]: undefined };
    expect(await refusedTo(member, params)).toMatchObject(refused('REQUEST_VARIABLE_MISSING', { var_name }));
  });

  it('names the unknown channel', async () => {
    for (const stream_id of [999_999, Number.MAX_SAFE_INTEGER]) {
      expect(await refusedTo(member, { to: stream_id })).toMatchObject(refused('STREAM_DOES_NOT_EXIST', { stream_id }));
    }
  });

  it('applies the rules of sending: for the channel', async () => {
    const closed = await server.channel(owner, { can_send_message_group: groups['administrators'] });
    const secret = await server.channel(owner, { invite_only: true });
    const archived = await server.channel(owner);
    granted(await owner.delete(`/streams/${archived}`));
    for (const to of [closed, secret, archived]) {
      expect(await refusedTo(member, { to })).toMatchObject(refused());
    }
    expect(await refusedTo(guest, { to: channel })).toMatchObject(refused());
    await scheduledId(schedule(owner, { to: closed, scheduled_delivery_timestamp: due() }));
  });

  it('applies the rules of sending: for the topic', async () => {
    const titled = await server.channel(owner, { topics_policy: 'disable_empty_topic' });
    for (const topic of ['', '(no topic)', 'general chat']) {
      expect(await refusedTo(member, { to: titled, topic })).toMatchObject(refused());
    }
    const known = await server.channel(owner, { can_create_topic_group: groups['administrators'] });
    expect(await refusedTo(member, { to: known })).toMatchObject(refused());
  });

  it('applies the rules of sending: for mentioned users', async () => {
    granted(await owner.patch('/realm', { can_mention_many_users_group: { new: groups['nobody'] } }));
    const crowd = await Promise.all(Array.from({ length: 14 }, () => server.person()));
    const busy = await server.channel(owner, { subscribers: [owner, member, ...crowd] });
    const mentioning = { to: busy, content: 'listen, @**all**' };
    expect(await refusedTo(member, mentioning)).toMatchObject(refused('STREAM_WILDCARD_MENTION_NOT_ALLOWED'));
    await scheduledId(schedule(member, { ...mentioning, content: 'listen, all', scheduled_delivery_timestamp: due() }));
    granted(await owner.patch('/realm', { can_mention_many_users_group: { new: groups['administrators'] } }));
  });

  it('applies the rules of sending: for direct messages', async () => {
    granted(await owner.patch('/realm', { direct_message_permission_group: { new: groups['nobody'] } }));
    expect(await refusedTo(member, { type: 'direct', to: [other.id] })).toMatchObject(refused());
    granted(await owner.patch('/realm', { direct_message_permission_group: { new: groups['everyone'] } }));
    const leaver = await server.person();
    granted(await owner.delete(`/users/${leaver.id}`));
    expect(await refusedTo(member, { type: 'direct', to: [leaver.id] })).toMatchObject(refused());
  });

  it('requires a login, and is allowed to bots', async () => {
    const input = { type: 'channel', to: channel, topic: 'x', content: 'x', scheduled_delivery_timestamp: due() };
    expect((await server.anonymous.post('/scheduled_messages', input)).status).toBe(401);
    const bot = await server.bot(member);
    const id = await scheduledId(schedule(bot, { to: channel, scheduled_delivery_timestamp: due() }));
    expect(await scheduledOf(bot)).toMatchObject([{ scheduled_message_id: id }]);
  });
});

describe('what is stored', () => {
  const kept = async (params: object) => {
    const id = await scheduledId(schedule(other, { to: channel, scheduled_delivery_timestamp: due(), ...params }));
    const record = (await scheduledOf(other)).find((one) => one.scheduled_message_id === id);
    granted(await other.delete(`/scheduled_messages/${id}`));
    return record;
  };

  it.each([
    ['stream', 'stream'],
    ['channel', 'stream'],
    ['"channel"', 'stream'],
  ])('of type %s is of type %s', async (type, shown) => {
    expect(await kept({ type })).toMatchObject({ type: shown, to: channel });
  });

  it('accepts the older name of the topic parameter, not both', async () => {
    expect(await kept({ topic: undefined, subject: ' tea ' })).toMatchObject({ topic: 'tea' });
    expect(await refusedTo(other, { to: channel, topic: 'tea', subject: 'tea' })).toMatchObject(
      refused('REQUEST_CONFUSING_VAR', { var_name1: 'topic', var_name2: 'subject' }),
    );
  });

  it.each(['direct', 'private'])('of type %s lists each other recipient once and ignores a topic', async (type) => {
    const record = await kept({ type, to: [member.id, owner.id, member.id], topic: '\u0007' });
    expect(record).toMatchObject({ type: 'private', to: [owner.id, member.id].sort((a, b) => a - b) });
    expect(record).not.toHaveProperty('topic');
  });

  it('is truncated like texts and topics', async () => {
    const record = await kept({ content: `\n\n${'x'.repeat(10_001)}`, topic: 'y'.repeat(61) });
    expect(record?.['content']).toBe(`${'x'.repeat(9_980)}\n[message truncated]`);
    expect(record?.['topic']).toBe(`${'y'.repeat(57)}...`);
  });

  it.each(['', '(no topic)', 'general chat'])('has the empty topic for "%s"', async (topic) => {
    expect(await kept({ topic })).toMatchObject({ topic: '' });
  });

  it.each([2 ** 31 - 1, 2 ** 31, 2 ** 32, 253_402_300_799])('may be due at %i', async (at) => {
    expect(await kept({ scheduled_delivery_timestamp: at })).toMatchObject({ scheduled_delivery_timestamp: at });
  });

  it('is listed by time, then by id', async () => {
    const at = due();
    const ids = [];
    for (const seconds of [60, 0, 0]) {
      ids.push(
        await scheduledId(
          schedule(guest, { type: 'direct', to: [guest.id], scheduled_delivery_timestamp: at + seconds }),
        ),
      );
    }
    expect((await scheduledOf(guest)).map(({ scheduled_message_id: id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
  });
});

describe('DELETE /scheduled_messages/{id}', () => {
  const missing = { status: 404, body: { code: 'BAD_REQUEST' } };

  it('is allowed to its author, with an event for the author only', async () => {
    const id = await scheduledId(schedule(member, { to: channel, scheduled_delivery_timestamp: due() }));
    expect(await other.delete(`/scheduled_messages/${id}`)).toMatchObject(missing);
    const received: unknown[] = [];
    const act = async () => granted(await member.delete(`/scheduled_messages/${id}`));
    const others = await owner.receive(async () => received.push(...(await member.receive(act))));
    expect(received).toEqual([
      { id: expect.any(Number) as number, type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ]);
    expect(others).toEqual([]);
    expect(await member.delete(`/scheduled_messages/${id}`)).toMatchObject(missing);
  });

  it.each(['0', '999999', '9007199254740993'])('finds nothing with id %s', async (id) => {
    const { status, body } = await member.delete(`/scheduled_messages/${id}`);
    expect([400, 404]).toContain(status);
    expect(body.code).toBe('BAD_REQUEST');
  });

  it('finds no reminder', async () => {
    const { reminder_id } = granted(await member.post<{ reminder_id: number }>('/reminders', { note: 'not this' }));
    expect(await member.delete(`/scheduled_messages/${reminder_id}`)).toMatchObject(missing);
    expect(await member.patch(`/scheduled_messages/${reminder_id}`, { content: 'x' })).toMatchObject(missing);
  });
});
