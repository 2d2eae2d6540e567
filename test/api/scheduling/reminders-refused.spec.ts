import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import { inMinutes, remindersOf, schedule, scheduledId, scheduledOf } from '../../support/requests/scheduling';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
let channel: number;
let message: number;
beforeAll(async () => {
  ({ server, owner, member, other, guest } = await startWithUsers());
  channel = await server.channel(owner, { subscribers: [owner, member, other] });
  message = await idOf(send(other, { to: channel, content: 'the plan' }));
});
afterAll(() => server.close());

const bad = { status: 400, body: { code: 'BAD_REQUEST' } };
const missing = { status: 404, body: { code: 'BAD_REQUEST' } };
const set = (by: Person, params: object) => by.post<{ reminder_id: number }>('/reminders', { ...params });
const idOfReminder = async (setting: ReturnType<typeof set>) => granted(await setting).reminder_id;

describe('POST /reminders', () => {
  it.each<[string, () => object]>([
    ['nothing', () => ({})],
    ['a blank note to oneself', () => ({ note: ' \n ' })],
    ['a note that is too long', () => ({ note: 'x'.repeat(1_001) })],
    ['a note that is too long, with a message', () => ({ message_id: message, note: '😀'.repeat(1_001) })],
    ['a note with NUL', () => ({ note: 'a\u0000b' })],
    ['now', () => ({ note: 'x', scheduled_delivery_timestamp: inMinutes(server, 0) })],
    ['a time in the past', () => ({ message_id: message, scheduled_delivery_timestamp: inMinutes(server, -5) })],
    ['a time beyond all years', () => ({ note: 'x', scheduled_delivery_timestamp: 253_402_300_800 })],
    ['a time that is none', () => ({ note: 'x', scheduled_delivery_timestamp: 'soon' })],
    ['a fraction of a second', () => ({ note: 'x', scheduled_delivery_timestamp: inMinutes(server, 5) + 0.5 })],
    ['a time before time', () => ({ note: 'x', scheduled_delivery_timestamp: -1 })],
    ['a time beyond 53 bits', () => ({ note: 'x', scheduled_delivery_timestamp: 2 ** 53 })],
    ['no message for null', () => ({ message_id: null })],
    ['message 0', () => ({ message_id: 0, note: 'x' })],
    ['a message that is not there', () => ({ message_id: 999_999, note: 'x' })],
    ['a message beyond all numbers', () => ({ message_id: Number.MAX_SAFE_INTEGER, note: 'x' })],
    ['no number for a message', () => ({ message_id: 'the last one', note: 'x' })],
    ['a negative message', () => ({ message_id: -1, note: 'x' })],
  ])('refuses %s', async (_, params) => {
    expect(await set(member, params())).toMatchObject(bad);
    expect(await remindersOf(member)).toEqual([]);
  });

  it('refuses a message that the caller may not see', async () => {
    const secret = await server.channel(owner, { invite_only: true });
    const hidden = await idOf(send(owner, { to: secret }));
    const direct = await idOf(sendDirect(owner, [other.id]));
    for (const message_id of [hidden, direct]) expect(await set(member, { message_id })).toMatchObject(bad);
    expect(await set(guest, { message_id: message })).toMatchObject(bad);
    const kept = await server.channel(owner, { invite_only: true, history_public_to_subscribers: false, name: 'kept' });
    const before = await idOf(send(owner, { to: kept }));
    granted(
      await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'kept' }], principals: [member.id] }),
    );
    expect(await set(member, { message_id: before })).toMatchObject(bad);
  });

  it('stores several for one message, with events for their owner only', async () => {
    const at = inMinutes(server, 5);
    let id = 0;
    const received: unknown[] = [];
    const act = async () => {
      const params = { message_id: message, note: '\n\nread it  \n', scheduled_delivery_timestamp: at };
      id = await idOfReminder(set(member, params));
    };
    const others = await other.receive(async () => received.push(...(await member.receive(act))));
    expect(others).toEqual([]);
    const [record] = await remindersOf(member);
    expect(received).toEqual([{ id: expect.any(Number) as number, type: 'reminders', op: 'add', reminders: [record] }]);
    expect(record).toEqual({
      reminder_id: id,
      type: 'private',
      to: [member.id],
      content: expect.stringContaining('quote\nread it\n') as string,
      rendered_content: expect.stringContaining('<blockquote>\n<p>read it</p>') as string,
      scheduled_delivery_timestamp: at,
      failed: false,
      reminder_target_message_id: message,
    });
    const { reminders } = await member.register({ fetch_event_types: ['reminders'] });
    expect(reminders).toEqual([record]);
    const another = await idOfReminder(set(member, { message_id: message, scheduled_delivery_timestamp: at - 60 }));
    expect((await remindersOf(member)).map(({ reminder_id }) => reminder_id)).toEqual([another, id]);
    expect(await scheduledOf(member)).toEqual([]);
    for (const one of [id, another]) granted(await member.delete(`/reminders/${one}`));
  });

  it('shares one sequence of ids with scheduled messages', async () => {
    const first = await idOfReminder(set(member, { note: 'one' }));
    const scheduled_delivery_timestamp = inMinutes(server, 5);
    const second = await scheduledId(schedule(member, { to: channel, scheduled_delivery_timestamp }));
    const third = await idOfReminder(set(member, { note: 'x'.repeat(1_000) }));
    expect([first, second, third]).toEqual([first, second, third].sort((a, b) => a - b));
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await member.delete(`/reminders/${second}`)).toMatchObject(missing);
    granted(await member.delete(`/scheduled_messages/${second}`));
    for (const one of [first, third]) granted(await member.delete(`/reminders/${one}`));
  });

  it('requires a login, and is allowed to bots', async () => {
    expect((await server.anonymous.post('/reminders', { note: 'x' })).status).toBe(401);
    const bot = await server.bot(member);
    const reminder_id = await idOfReminder(set(bot, { note: 'x' }));
    expect(await remindersOf(bot)).toMatchObject([{ reminder_id }]);
  });
});

describe('DELETE /reminders/{id}', () => {
  it('is allowed to its owner, with an event for the owner only', async () => {
    const id = await idOfReminder(set(member, { note: 'x' }));
    expect(await other.delete(`/reminders/${id}`)).toMatchObject(missing);
    const received: unknown[] = [];
    const act = async () => granted(await member.delete(`/reminders/${id}`));
    const others = await owner.receive(async () => received.push(...(await member.receive(act))));
    expect(received).toEqual([{ id: expect.any(Number) as number, type: 'reminders', op: 'remove', reminder_id: id }]);
    expect(others).toEqual([]);
    expect(await member.delete(`/reminders/${id}`)).toMatchObject(missing);
    expect(await member.delete('/reminders/999999')).toMatchObject(missing);
    expect((await member.patch(`/reminders/${id}`, { note: 'x' })).status).toBe(405);
  });
});
