import type { ChannelId } from '@annals/kernel/domain';
import { Deliveries } from '../../../libs/scheduling/src/application/deliveries';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Message } from '../../support/requests/messages';
import { inChannel } from '../../support/requests/notices';
import type { Person } from '../../support/server/organization';
import { inMinutes, schedule, scheduledId, scheduledOf } from '../../support/requests/scheduling';
import type { TestServer } from '../../support/server/server';

const MINUTE = 60_000;

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let channel: ChannelId;
beforeAll(async () => {
  ({ server, owner, member, other } = await startWithUsers());
  channel = await server.channel(owner, { subscribers: [owner, member, other] });
});
afterAll(() => server.close());

const due = () => inMinutes(server, 5);
const bad = { status: 400, body: { code: 'BAD_REQUEST' } };
const missing = { status: 404, body: { code: 'BAD_REQUEST' } };
const event = (fields: object) => ({ id: expect.any(Number) as number, type: 'scheduled_messages', ...fields });
const newest = async (by: Person, narrow: object[]) => {
  const params = { anchor: 'newest', num_before: 1, num_after: 0, narrow, apply_markdown: false };
  const { messages } = granted(await by.get<{ messages: Message[] }>('/messages', params));
  return messages.at(-1);
};

describe('POST /scheduled_messages', () => {
  it('stores a message to a channel, with an event for its author only', async () => {
    const at = due();
    let id = 0;
    const received: unknown[] = [];
    const act = async () => {
      id = await scheduledId(
        schedule(member, { to: channel, content: 'see **you**\n', scheduled_delivery_timestamp: at }),
      );
    };
    const others = await other.receive(async () => received.push(...(await member.receive(act))), 'scheduled_messages');
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
    expect(received).toEqual([event({ op: 'add', scheduled_messages: [record] })]);
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

  it.each([true, false])(
    'sends the empty topic as it is, whatever the client supports (%s)',
    async (empty_topic_name) => {
      const client_capabilities = { empty_topic_name };
      const received = await member.receive(
        () => schedule(member, { to: channel, topic: '', scheduled_delivery_timestamp: due() }),
        { event_types: ['scheduled_messages'], client_capabilities },
      );
      const [record] = await scheduledOf(member);
      expect(record).toMatchObject({ topic: '' });
      expect(received).toEqual([event({ op: 'add', scheduled_messages: [record] })]);
      const state = await member.register({ fetch_event_types: ['scheduled_messages'], client_capabilities });
      expect(state.scheduled_messages).toEqual([record]);
      granted(await member.delete(`/scheduled_messages/${record?.scheduled_message_id ?? 0}`));
    },
  );
});

describe('at its time', () => {
  it('a scheduled message is sent once, like any message, and is removed from the list', async () => {
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
    const received = await member.receive(act, { event_types: ['message', 'scheduled_messages'] });
    expect(received).toEqual([
      expect.objectContaining({ type: 'message', message: expect.objectContaining({ content: 'on time' }) as object }),
      event({ op: 'remove', scheduled_message_id: id }),
    ]);
    expect(await scheduledOf(member)).toEqual([]);
    const message = await newest(member, [{ operator: 'channel', operand: channel }]);
    expect(message).toMatchObject({ sender_id: member.id, content: 'on time', subject: 'lunch' });
    expect(await member.patch(`/scheduled_messages/${id}`, { content: 'x' })).toMatchObject(bad);
    const deleted = await member.receive(async () => granted(await member.delete(`/scheduled_messages/${id}`)));
    expect(deleted).toEqual([event({ op: 'remove', scheduled_message_id: id })]);
    expect(await member.delete(`/scheduled_messages/${id}`)).toMatchObject(missing);
    expect(await newest(member, [{ operator: 'channel', operand: channel }])).toMatchObject({ id: message?.id });
  });

  it('a new topic or conversation is created once, however many messages it gets', async () => {
    const pair = [await server.person(), await server.person()];
    const [one, two] = pair as [Person, Person];
    const to = await server.channel(owner, { subscribers: pair });
    const written = [];
    for (let n = 0; n < 6; n++) {
      const by = n % 2 === 0 ? one : two;
      const target = n < 4 ? { to, topic: 'new' } : { type: 'direct', to: pair.map(({ id }) => id) };
      await scheduledId(schedule(by, { ...target, content: `in turn ${n}`, scheduled_delivery_timestamp: due() }));
      written.push(`in turn ${n}`);
    }
    const act = async () => {
      server.clock.advance(5 * MINUTE);
      await server.deliverDue();
    };
    const received = await one.receive(act, { event_types: ['message', 'user_topic'] });
    const messages = received.filter(({ type }) => type === 'message').map(({ message }) => message as Message);
    expect(messages.map((message) => message['content'])).toEqual(written);
    expect(received.filter(({ type }) => type === 'user_topic').length).toBeLessThan(2);
    const { topics } = granted(await one.get<{ topics: object[] }>(`/users/me/${to}/topics`));
    expect(topics).toMatchObject([{ name: 'new' }]);
  });
});

describe('while the clock steps', () => {
  afterEach(() => jest.restoreAllMocks());
  const pass = async (minutes: number) => {
    server.clock.advance(minutes * MINUTE);
    await server.deliverDue();
  };
  const plan = (minutes: number) => {
    const params = { content: `after ${minutes}`, scheduled_delivery_timestamp: inMinutes(server, minutes) };
    return scheduledId(schedule(member, { to: channel, topic: 'steps', ...params }));
  };
  const contents = async () => (await inChannel(member, channel, 'steps')).map(({ content }) => content);

  it('back and forth, everything is sent once and nothing before its time', async () => {
    for (const minutes of [1, 3, 5]) await plan(minutes);
    for (const [step, sent] of [
      [1, 1],
      [-10, 1],
      [10, 1],
      [2, 2],
      [-60, 2],
      [59, 2],
      [1, 2],
      [2, 3],
      [-3, 3],
      [3, 3],
    ] as const) {
      await pass(step);
      expect((await contents()).length).toBe(sent);
    }
    expect(await contents()).toEqual(['after 1', 'after 3', 'after 5']);
  });

  it('back between finding and sending a due message, it waits for its time', async () => {
    const before = await contents();
    const id = await plan(5);
    const places = Object.getOwnPropertyDescriptor(Deliveries.prototype, 'places')?.value as Deliveries['places'];
    const look = jest.spyOn(Deliveries.prototype, 'places').mockImplementationOnce(function (this: Deliveries, ...of) {
      server.clock.advance(-2 * MINUTE);
      return places.apply(this, of);
    });
    await pass(5);
    expect(look).toHaveBeenCalled();
    expect(await contents()).toEqual(before);
    expect(await scheduledOf(member)).toMatchObject([{ scheduled_message_id: id, failed: false }]);
    await pass(2);
    expect(await contents()).toEqual([...before, 'after 5']);
  });
});
