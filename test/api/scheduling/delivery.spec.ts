import type { Instant } from '@annals/kernel/domain';
import { failureText } from '../../../libs/scheduling/src/application/failure-text';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { idOf, send } from '../../support/requests/messages';
import { inChannel, read } from '../../support/requests/notices';
import type { Person } from '../../support/server/organization';
import { inMinutes, schedule, scheduledId, scheduledOf } from '../../support/requests/scheduling';
import type { TestServer } from '../../support/server/server';

const MINUTE = 60_000;
const LATE_MINUTES = 3;
/** The types of events that tell a client which messages are unread. */
const UNREAD = ['message', 'update_message_flags'];

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => {
  ({ server, owner, member, other, groups } = await startWithUsers({
    env: { ANNALS_LATE_MINUTES: `${LATE_MINUTES}` },
  }));
});
afterAll(() => server.close());

const channelOf = (params: object = {}) => server.channel(owner, { subscribers: [owner, member, other], ...params });
const due = () => inMinutes(server, 5);
const later = (by: Person, params: object) =>
  scheduledId(schedule(by, { scheduled_delivery_timestamp: due(), ...params }));
/** Five minutes and a look at the clock. */
async function pass(minutes = 5): Promise<void> {
  server.clock.advance(minutes * MINUTE);
  await server.deliverDue();
}
const named = async (by: Person, id: number) => (await scheduledOf(by)).find((one) => one.scheduled_message_id === id);
/** A user's unread messages in channels. */
const unreadOf = async (by: Person) => {
  const { unread_msgs } = await by.register({ fetch_event_types: UNREAD });
  const { streams } = unread_msgs as { streams: { unread_message_ids: number[] }[] };
  return streams.flatMap(({ unread_message_ids }) => unread_message_ids);
};
/** The notices to a user, newest last. */
const noticesTo = async (by: Person) => {
  const direct = await read(by, [{ operator: 'is', operand: 'dm' }]);
  return direct.filter(({ sender_id }) => ![owner.id, member.id, other.id].includes(sender_id as never));
};

describe('a scheduled message that cannot be sent', () => {
  const change = (to: number, setting: Params) => () => owner.patch(`/streams/${to}`, setting);
  const permit = (setting: string, group: string) => owner.patch('/realm', { [setting]: { new: groups[group] } });

  interface Harm {
    readonly params: object;
    readonly reason: string;
    readonly harm: () => Promise<unknown>;
    readonly heal?: () => unknown;
  }
  const unauthorized = 'Not authorized to send to this channel';

  it.each<[string, () => Promise<Harm>]>([
    [
      'its channel does not let its author send any more',
      async () => {
        const to = await channelOf();
        const harm = change(to, { can_send_message_group: { new: groups['administrators'] } });
        return { params: { to }, harm, reason: 'You do not have permission to post in this channel.' };
      },
    ],
    [
      'its author lost access to its channel',
      async () => {
        const { id: to, name } = await server.namedChannel(owner, { invite_only: true, subscribers: [owner, member] });
        const harm = () => owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [member.id] });
        return { params: { to }, harm, reason: unauthorized };
      },
    ],
    [
      'its channel became private, without its author',
      async () => {
        const to = await channelOf({ subscribers: [owner] });
        return { params: { to }, harm: change(to, { is_private: true }), reason: unauthorized };
      },
    ],
    [
      'its channel was archived',
      async () => {
        const to = await channelOf();
        const harm = () => owner.delete(`/streams/${to}`);
        return { params: { to }, harm, reason: `${unauthorized}: it is archived` };
      },
    ],
    [
      'topics are required now',
      async () => {
        const to = await channelOf();
        const harm = change(to, { topics_policy: 'disable_empty_topic' });
        const reason = 'Sending messages to the general chat is not allowed in this channel.';
        return { params: { to, topic: '' }, harm, reason };
      },
    ],
    [
      'its author may not begin topics any more',
      async () => {
        const to = await channelOf();
        const harm = change(to, { can_create_topic_group: { new: groups['administrators'] } });
        const reason = 'You do not have permission to create new topics in this channel.';
        return { params: { to, topic: 'brand new' }, harm, reason };
      },
    ],
    [
      'its recipient has gone',
      async () => {
        const { id, email } = await server.person();
        const harm = () => owner.delete(`/users/${id}`);
        const reason = `'${email}' is no longer using this organization.`;
        return { params: { type: 'direct', to: [id] }, harm, reason };
      },
    ],
    [
      'its author may not write to people any more',
      async () => ({
        params: { type: 'direct', to: [other.id] },
        harm: () => permit('direct_message_permission_group', 'nobody'),
        heal: () => permit('direct_message_permission_group', 'everyone'),
        reason: 'Direct messages are disabled in this organization.',
      }),
    ],
  ])('because %s is marked as failed, and its author is notified', async (_, prepare) => {
    const { params, harm, heal, reason } = await prepare();
    const at = due();
    const id = await later(member, { content: 'too bold', ...params });
    granted((await harm()) as Awaited<ReturnType<Person['get']>>);
    const before = await named(member, id);
    const received = await member.receive(() => pass(), { event_types: ['message', 'scheduled_messages'] });
    await heal?.();
    const record = { ...before, failed: true };
    expect(received).toEqual([
      expect.objectContaining({ type: 'message', flags: [] }),
      { id: expect.any(Number) as number, type: 'scheduled_messages', op: 'update', scheduled_message: record },
    ]);
    expect(await named(member, id)).toEqual(record);
    expect((await noticesTo(member)).at(-1)?.content).toBe(failureText((at * 1_000) as Instant, reason).content);
    expect(await member.receive(() => pass(1))).toEqual([]);
    granted(await member.delete(`/scheduled_messages/${id}`));
  });

  it('because its author may no longer mention so many users is marked as failed, and can be changed', async () => {
    const crowd = await Promise.all(Array.from({ length: 13 }, () => server.person()));
    const to = await server.channel(owner, { subscribers: [owner, member, other, ...crowd] });
    granted(await permit('can_mention_many_users_group', 'everyone'));
    for (const by of [owner, member, other, ...crowd]) await idOf(send(by, { to, topic: 'busy' }));
    const mentioning = ['@**all** come', '@**topic** come'];
    const ids = [];
    for (const content of mentioning) ids.push(await later(member, { to, topic: 'busy', content }));
    granted(await permit('can_mention_many_users_group', 'nobody'));
    await pass();
    const notices = (await noticesTo(member)).slice(-2).map(({ content }) => content);
    for (const [n, kind] of ['channel', 'topic'].entries()) {
      expect(notices[n]).toContain(`\nYou do not have permission to use ${kind} wildcard mentions in this ${kind}.\n`);
      expect(await named(member, ids[n] ?? 0)).toMatchObject({ failed: true });
    }
    granted(await permit('can_mention_many_users_group', 'administrators'));
    for (const [n, id] of ids.entries()) {
      const content = mentioning[n]?.replaceAll('*', '');
      granted(await member.patch(`/scheduled_messages/${id}`, { content, scheduled_delivery_timestamp: due() }));
      expect(await named(member, id)).toMatchObject({ failed: false, content });
    }
    await pass();
    expect((await inChannel(member, to)).slice(-2).map(({ content }) => content)).toEqual(['@all come', '@topic come']);
  });

  it('in time is marked as failed, reports how late it was, and can get a new time', async () => {
    const to = await channelOf();
    const punctual = await later(member, { to, content: 'just in time' });
    await pass(5 + LATE_MINUTES);
    expect(await named(member, punctual)).toBeUndefined();
    const at = due();
    const id = await later(member, { to, content: 'at last' });
    server.clock.advance((5 + LATE_MINUTES) * MINUTE + 1);
    await server.deliverDue();
    expect(await named(member, id)).toMatchObject({ failed: true });
    const reason = `The server could not send it at its time, nor within ${LATE_MINUTES} minutes after it.`;
    expect((await noticesTo(member)).at(-1)?.content).toBe(failureText((at * 1_000) as Instant, reason).content);
    expect((await inChannel(member, to)).at(-1)?.content).toBe('just in time');
    granted(await member.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: due() }));
    await pass();
    expect((await inChannel(member, to)).at(-1)?.content).toBe('at last');
  });

  it('because its author is deactivated is marked as failed, without an event', async () => {
    const leaver = await server.person();
    const to = await channelOf();
    const id = await later(leaver, { to, content: 'from nobody' });
    granted(await owner.delete(`/users/${leaver.id}`));
    const received = await owner.receive(() => pass(), { event_types: ['message', 'scheduled_messages'] });
    expect(received).toEqual([]);
    expect((await inChannel(owner, to)).map(({ content }) => content)).not.toContain('from nobody');
    granted(await owner.post(`/users/${leaver.id}/reactivate`));
    const { api_key: key } = granted(
      await server.anonymous.post<{ api_key: string }>('/fetch_api_key', {
        username: leaver.email,
        password: leaver.password,
      }),
    );
    const back = server.as({ email: leaver.email, key });
    const { scheduled_messages } = granted(await back.get<{ scheduled_messages: object[] }>('/scheduled_messages'));
    expect(scheduled_messages).toMatchObject([{ scheduled_message_id: id, failed: true }]);
    expect(await noticesTo(back as Person)).toEqual([]);
  });
});

describe('a scheduled message that is sent', () => {
  it('is sent to the channel by its id, and is rendered with the names of the time of sending', async () => {
    const to = await channelOf();
    const id = await later(member, { to, content: 'ask @**Otto**' });
    granted(await owner.patch(`/streams/${to}`, { new_name: 'renamed meanwhile' }));
    granted(await owner.patch(`/users/${other.id}`, { full_name: 'Ottilie' }));
    await pass();
    expect(await named(member, id)).toBeUndefined();
    const sent = (await inChannel(member, to)).at(-1);
    expect(sent).toMatchObject({ display_recipient: 'renamed meanwhile', content: 'ask @**Otto**' });
    granted(await owner.patch(`/users/${other.id}`, { full_name: 'Otto' }));
  });

  it('is delivered like any message, without a local id, with the time of sending', async () => {
    const to = await channelOf();
    await later(member, { to, content: 'hello' });
    const at = due();
    const [event] = await other.receive(() => pass(6), 'message');
    expect(event).toMatchObject({ message: { content: 'hello', timestamp: at + 60, client: 'node' } });
    expect(event).not.toHaveProperty('local_message_id');
  });

  it.each<[string, object, Record<string, string>, string[]]>([
    ['by a program', {}, {}, []],
    ['by a client that people read with', {}, { 'user-agent': 'ZulipMobile/1.0' }, ['read']],
    ['as requested, by a program', { read_by_sender: true }, {}, ['read']],
    ['as requested, by a client', { read_by_sender: false }, { 'user-agent': 'ZulipMobile/1.0' }, []],
  ])('is read by its author if it was written %s', async (_, input, headers, flags) => {
    const to = await channelOf();
    const params = { type: 'channel', to, topic: 'x', content: 'x', scheduled_delivery_timestamp: due(), ...input };
    granted(await member.post('/scheduled_messages', params, { headers }));
    const received: unknown[] = [];
    const others = await other.receive(
      async () => received.push(...(await member.receive(() => pass(), 'message'))),
      'message',
    );
    expect(received).toMatchObject([{ flags }]);
    expect(others).toMatchObject([{ flags: [] }]);
    const sent = (await inChannel(member, to)).at(-1);
    expect(sent).toMatchObject({ flags });
    expect((await unreadOf(member)).includes(sent?.id ?? 0)).toBe(flags.length === 0);
    expect(await unreadOf(other)).toContain(sent?.id);
  });

  it('to oneself is unread, whichever client wrote it', async () => {
    const headers = { 'user-agent': 'ZulipMobile/1.0' };
    const params = { type: 'direct', to: [member.id], content: 'note', scheduled_delivery_timestamp: due() };
    granted(await member.post('/scheduled_messages', params, { headers }));
    expect(await member.receive(() => pass(), 'message')).toMatchObject([{ flags: [] }]);
    const { unread_msgs } = await member.register({ fetch_event_types: UNREAD });
    const [note] = (await read(member, [{ operator: 'dm', operand: [member.id] }])).slice(-1);
    expect(unread_msgs).toMatchObject({
      pms: expect.arrayContaining([expect.objectContaining({ unread_message_ids: [note?.id] })]) as object,
    });
  });

  it('is sent in the order of times, then of ids, however many there are', async () => {
    const to = await channelOf();
    const at = due();
    const late = await later(member, { to, content: 'last', scheduled_delivery_timestamp: at + 1 });
    const expected = [];
    for (let n = 0; n < 20; n++) {
      const by = [member, other, owner][n % 3] ?? member;
      await later(by, { to, content: `${n}`, topic: `topic ${n % 4}`, scheduled_delivery_timestamp: at });
      expected.push(`${n}`);
    }
    await pass(6);
    expect((await inChannel(owner, to)).map(({ content }) => content).slice(-21)).toEqual([...expected, 'last']);
    expect(await named(member, late)).toBeUndefined();
  });
});
