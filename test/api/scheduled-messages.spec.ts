import type { Params } from '../support/caller';
import { granted } from '../support/caller';
import { startCast } from '../support/cast';
import type { Message } from '../support/messages';
import type { Person } from '../support/organization';
import { inMinutes, schedule, scheduledId, scheduledOf } from '../support/scheduling';
import type { TestServer } from '../support/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let channel: number;
beforeAll(async () => {
  ({ server, owner, member, other } = await startCast());
  channel = await server.channel(owner, { subscribers: [owner, member, other] });
});
afterAll(() => server.close());

const due = () => inMinutes(server, 5);
const bad = { status: 400, body: { code: 'BAD_REQUEST' } };
const missing = { status: 404, body: { code: 'BAD_REQUEST' } };
const event = (said: object) => ({ id: expect.any(Number) as number, type: 'scheduled_messages', ...said });
const newest = async (by: Person, narrow: object[]) => {
  const params = { anchor: 'newest', num_before: 1, num_after: 0, narrow, apply_markdown: false };
  const { messages } = granted(await by.get<{ messages: Message[] }>('/messages', params));
  return messages.at(-1);
};

describe('POST /scheduled_messages', () => {
  it('keeps a message to a channel for its author, who alone hears of it', async () => {
    const at = due();
    let id = 0;
    const heard: unknown[] = [];
    const act = async () => {
      id = await scheduledId(
        schedule(member, { to: channel, content: 'see **you**\n', scheduled_delivery_timestamp: at }),
      );
    };
    const others = await other.receive(async () => heard.push(...(await member.receive(act))), 'scheduled_messages');
    const record = {
      scheduled_message_id: id,
      type: 'stream',
      to: channel,
      topic: 'lunch',
      content: 'see **you**',
      rendered_content: '<p>see <strong>you</strong></p>',
      scheduled_delivery_timestamp: at,
      failed: false,
    };
    expect(heard).toEqual([event({ op: 'add', scheduled_messages: [record] })]);
    expect(others).toEqual([]);
    expect(await scheduledOf(member)).toEqual([record]);
    expect(await scheduledOf(other)).toEqual([]);
    const { scheduled_messages } = await member.register({ fetch_event_types: ['scheduled_messages'] });
    expect(scheduled_messages).toEqual([record]);
    granted(await member.delete(`/scheduled_messages/${id}`));
  });

  it.each<[string, () => Params, object]>([
    ['others', () => ({ to: [other.id, member.id, owner.id] }), () => [owner.id, other.id]],
    ['oneself', () => ({ to: [member.id] }), () => [member.id]],
  ])('keeps a direct message to %s', async (_, params, to) => {
    const id = await scheduledId(
      schedule(member, { type: 'direct', ...params(), scheduled_delivery_timestamp: due() }),
    );
    const [record] = await scheduledOf(member);
    expect(record).toMatchObject({ scheduled_message_id: id, type: 'private', to: (to as () => number[])() });
    expect(record).not.toHaveProperty('topic');
    granted(await member.delete(`/scheduled_messages/${id}`));
  });
});

describe('at its time', () => {
  it('a scheduled message is sent once, as any message, and leaves the list', async () => {
    const params = { to: channel, content: 'on time', scheduled_delivery_timestamp: due() };
    const id = await scheduledId(schedule(member, params));
    server.clock.advance(5 * 60_000 - 1);
    await server.deliverDue();
    expect(await scheduledOf(member)).toHaveLength(1);
    const act = async () => {
      server.clock.advance(1);
      await server.deliverDue();
      await server.deliverDue();
    };
    const heard = await member.receive(act, { event_types: ['message', 'scheduled_messages'] });
    expect(heard).toEqual([
      expect.objectContaining({ type: 'message', message: expect.objectContaining({ content: 'on time' }) as object }),
      event({ op: 'remove', scheduled_message_id: id }),
    ]);
    expect(await scheduledOf(member)).toEqual([]);
    const message = await newest(member, [{ operator: 'channel', operand: channel }]);
    expect(message).toMatchObject({ sender_id: member.id, content: 'on time', subject: 'lunch' });
    expect(await member.patch(`/scheduled_messages/${id}`, { content: 'x' })).toMatchObject(bad);
    expect(await member.delete(`/scheduled_messages/${id}`)).toMatchObject(missing);
  });
});
