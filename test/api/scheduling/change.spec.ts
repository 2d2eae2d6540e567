import type { ChannelId, Instant } from '@annals/kernel/domain';
import { Sender } from '@annals/messages';
import { failureText } from '../../../libs/scheduling/src/application/failure-text';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { inChannel } from '../../support/requests/notices';
import type { Person } from '../../support/server/organization';
import type { Scheduled } from '../../support/requests/scheduling';
import { inMinutes, schedule, scheduledId, scheduledOf } from '../../support/requests/scheduling';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let channel: ChannelId;
let second: number;
/** Waits in the channel. */
let id: number;
beforeAll(async () => {
  ({ server, owner, member, other } = await startWithUsers());
  channel = await server.channel(owner, { subscribers: [owner, member, other] });
  second = await server.channel(owner, { subscribers: [owner, member, other] });
});
afterAll(() => server.close());
beforeEach(async () => {
  id = await scheduledId(schedule(member, { to: channel, scheduled_delivery_timestamp: due() }));
});
afterEach(async () => granted(await member.delete(`/scheduled_messages/${id}`)));

const due = () => inMinutes(server, 5);
const past = () => inMinutes(server, -1);
const refused = (code = 'BAD_REQUEST', more: object = {}) => ({ status: 400, body: { code, ...more } });
const missing = { status: 404, body: { code: 'BAD_REQUEST' } };
const change = (params: object, by = member) => by.patch(`/scheduled_messages/${id}`, { ...params });
const shown = async () => (await scheduledOf(member)).find((one) => one.scheduled_message_id === id) as Scheduled;

/** Lets it fail at its time. */
async function fail(): Promise<void> {
  granted(
    await owner.patch(`/streams/${channel}`, {
      can_send_message_group: { new: { direct_members: [], direct_subgroups: [] } },
    }),
  );
  server.clock.advance(5 * 60_000);
  await server.deliverDue();
  const all = (await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups')).body.user_groups;
  const everyone = all.find(({ name }) => name === 'role:everyone')?.id;
  granted(await owner.patch(`/streams/${channel}`, { can_send_message_group: { new: everyone } }));
  expect(await shown()).toMatchObject({ failed: true });
}

describe('PATCH /scheduled_messages/{id} refuses, in this order,', () => {
  it.each<[string, () => object]>([
    ['nothing', () => ({})],
    [
      'a type without a target, before a time in the past',
      () => ({ type: 'direct', scheduled_delivery_timestamp: past() }),
    ],
    ['the type of a channel without a topic', () => ({ type: 'channel', to: channel })],
    ['a time that has come', () => ({ scheduled_delivery_timestamp: inMinutes(server, 0) })],
    ['a time beyond all years', () => ({ scheduled_delivery_timestamp: 253_402_300_800 })],
    ['an unknown type', () => ({ type: 'letter', to: channel, topic: 'x' })],
    ['one person without a list', () => ({ type: 'direct', to: other.id })],
    ['a list for a channel', () => ({ to: [other.id] })],
    ['a list for a channel, with its type', () => ({ type: 'channel', to: [other.id], topic: 'x' })],
    ['a blank text', () => ({ content: ' \n' })],
    ['somebody unknown', () => ({ type: 'direct', to: [999_999] })],
    ['a topic with a control character', () => ({ topic: 'a\u0007b' })],
    ['such a topic with a text', () => ({ topic: 'a\u0007b', content: 'x' })],
    ['such a topic with its type', () => ({ type: 'stream', to: channel, topic: '\uffff' })],
    ['a topic under both of its names', () => ({ topic: 'a', subject: 'a' })],
  ])('%s', async (_, params) => {
    const before = await shown();
    const { status, body } = await change(params());
    expect([status, body.code]).toEqual([400, 'subject' in params() ? 'REQUEST_CONFUSING_VAR' : 'BAD_REQUEST']);
    expect(await shown()).toEqual(before);
  });

  it('bad parameters, then an unknown message, then all else', async () => {
    const path = '/scheduled_messages/999999';
    expect(await member.patch(path, {})).toMatchObject(refused());
    expect(await member.patch(path, { type: 'direct' })).toMatchObject(refused());
    expect(await member.patch(path, { scheduled_delivery_timestamp: past() })).toMatchObject(refused());
    expect(await member.patch(path, { to: 999_999 })).toMatchObject(missing);
    expect(await member.patch(path, { topic: '\u0007' })).toMatchObject(missing);
    expect(await change({ to: 999_999 }, other)).toMatchObject(missing);
  });

  it('what cannot be sent', async () => {
    const stream_id = 999_999;
    expect(await change({ to: stream_id })).toMatchObject(refused('STREAM_DOES_NOT_EXIST', { stream_id }));
    const secret = await server.channel(owner, { invite_only: true });
    expect(await change({ to: secret })).toMatchObject(refused());
    expect(await change({ type: 'channel', to: secret, topic: 'x' })).toMatchObject(refused());
  });

  it('no topic where topics are required, also when only the topic changes', async () => {
    granted(await owner.patch(`/streams/${channel}`, { topics_policy: 'disable_empty_topic' }));
    for (const topic of ['', '(no topic)', 'general chat']) expect(await change({ topic })).toMatchObject(refused());
    granted(await owner.patch(`/streams/${channel}`, { topics_policy: 'inherit' }));
    granted(await change({ topic: '(no topic)' }));
    expect(await shown()).toMatchObject({ topic: '' });
  });

  it('changes of a failed message without a new time', async () => {
    await fail();
    expect(await change({ content: 'again' })).toMatchObject(refused());
    expect(await change({ to: 999_999 })).toMatchObject(refused('BAD_REQUEST'));
    expect(await shown()).toMatchObject({ content: 'later', failed: true });
    granted(await change({ scheduled_delivery_timestamp: due() }));
    expect(await shown()).toMatchObject({ content: 'later', failed: false });
  });
});

describe('PATCH /scheduled_messages/{id} changes', () => {
  const event = (record: object) => [
    { id: expect.any(Number) as number, type: 'scheduled_messages', op: 'update', scheduled_message: record },
  ];

  it('each part by itself, with an event for its author only', async () => {
    const at = due() + 60;
    const changes = [
      [{ content: 'see *you*' }, { content: 'see *you*', rendered_content: '<p>see <em>you</em></p>' }],
      [{ topic: 'tea' }, { topic: 'tea' }],
      [{ subject: ' cake ' }, { topic: 'cake' }],
      [{ topic: 'y'.repeat(61) }, { topic: `${'y'.repeat(57)}...` }],
      [{ scheduled_delivery_timestamp: at }, { scheduled_delivery_timestamp: at }],
      [{ to: second }, { to: second }],
      [{ content: 'x'.repeat(10_001) }, { content: `${'x'.repeat(9_980)}\n[message truncated]` }],
    ] as const;
    for (const [input, become] of changes) {
      const before = await shown();
      const received: unknown[] = [];
      const act = async () => granted(await change(input));
      expect(await other.receive(async () => received.push(...(await member.receive(act))))).toEqual([]);
      const { rendered_content, ...rest } = { ...before, ...become } as Record<string, unknown>;
      expect(await shown()).toMatchObject({ ...rest, ...('content' in input ? {} : { rendered_content }) });
      expect(received).toEqual(event(await shown()));
    }
  });

  it('nothing, and reports that', async () => {
    const before = await shown();
    expect(await member.receive(() => change({ content: 'later' }))).toEqual(event(before));
  });

  it('the type, with its target, and back', async () => {
    granted(await change({ type: 'private', to: [other.id], topic: '\u0007' }));
    const { topic: _, ...direct } = await shown();
    expect(direct).toMatchObject({ type: 'private', to: [other.id] });
    expect(await shown()).toEqual(direct);
    granted(await change({ to: [member.id, owner.id] }));
    expect(await shown()).toMatchObject({ type: 'private', to: [owner.id] });
    expect(await change({ to: channel })).toMatchObject(refused());
    const kept = await shown();
    for (const topic of ['ignored', '\u0007', '', 'x'.repeat(5_000), '(no topic)']) {
      expect(await member.receive(() => change({ topic }))).toEqual(event(kept));
      granted(await change({ topic, content: 'later' }));
      granted(await change({ topic, to: [owner.id] }));
    }
    expect(await shown()).toEqual(kept);
    granted(await change({ type: 'stream', to: second, topic: 'back' }));
    expect(await shown()).toMatchObject({ type: 'stream', to: second, topic: 'back' });
  });

  it('its time or topic without checking whether it could be sent now', async () => {
    const channelId = await server.channel(owner, { subscribers: [owner, member] });
    granted(await change({ to: channelId }));
    granted(await owner.delete(`/streams/${channelId}`));
    granted(await change({ scheduled_delivery_timestamp: due() + 60 }));
    granted(await change({ topic: 'tea' }));
    expect(await shown()).toMatchObject({ topic: 'tea', to: channelId });
    expect(await change({ content: 'tea' })).toMatchObject(refused());
  });

  it('a failed message, which is then sent', async () => {
    await fail();
    granted(await change({ type: 'direct', to: [other.id], content: 'at last', scheduled_delivery_timestamp: due() }));
    expect(await shown()).toMatchObject({ failed: false, type: 'private' });
    const act = async () => {
      server.clock.advance(5 * 60_000);
      await server.deliverDue();
    };
    const received = await other.receive(act, 'message');
    expect(received).toMatchObject([{ message: { content: 'at last', sender_id: member.id } }]);
    expect(await change({ content: 'x' })).toMatchObject(refused());
    // For the end of this test.
    id = await scheduledId(schedule(member, { to: channel, scheduled_delivery_timestamp: due() }));
  });
});

describe('what fails by a server error', () => {
  afterEach(() => jest.restoreAllMocks());

  it('fails after ten attempts, delays nothing else, and is sent at a new time afterwards', async () => {
    const behind = await scheduledId(
      schedule(member, { to: channel, content: 'behind it', scheduled_delivery_timestamp: due() }),
    );
    const at = due();
    granted(await change({ content: 'a mistake' }));
    const send = Object.getOwnPropertyDescriptor(Sender.prototype, 'send')?.value as Sender['send'];
    let tries = 0;
    const mistake = jest.spyOn(Sender.prototype, 'send').mockImplementation(async function (this: Sender, ...args) {
      if (args[1].text.words.content !== 'a mistake') return send.apply(this, args);
      tries += 1;
      throw new TypeError('something is not a function');
    });
    server.clock.advance(5 * 60_000);
    const failing = async () => {
      await server.deliverDue();
      expect((await inChannel(member, channel)).at(-1)?.content).toBe('behind it');
      expect(await scheduledOf(member)).not.toContainEqual(expect.objectContaining({ scheduled_message_id: behind }));
      while (!(await shown())['failed']) await server.deliverDue();
    };
    const received = await member.receive(failing, { event_types: ['scheduled_messages', 'message'] });
    expect(tries).toBe(10);
    const notice = failureText((at * 1_000) as Instant, 'An internal error occurred.').content;
    expect(received).toEqual([
      expect.objectContaining({ type: 'message' }),
      expect.objectContaining({ op: 'remove', scheduled_message_id: behind }),
      expect.objectContaining({ message: expect.objectContaining({ type: 'private', content: notice }) as object }),
      expect.objectContaining({ op: 'update', scheduled_message: await shown() }),
    ]);
    await server.deliverDue();
    expect(tries).toBe(10);
    expect(await change({ content: 'again' })).toMatchObject(refused());
    mistake.mockRestore();
    granted(await change({ content: 'no mistake', scheduled_delivery_timestamp: due() }));
    server.clock.advance(5 * 60_000);
    await server.deliverDue();
    expect((await inChannel(member, channel)).at(-1)?.content).toBe('no mistake');
    // For the end of this test.
    id = await scheduledId(schedule(member, { to: channel, scheduled_delivery_timestamp: due() }));
  });
});
