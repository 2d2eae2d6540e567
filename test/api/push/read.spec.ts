import type { ChannelId } from '@annals/kernel/domain';
import type { Phone } from '../../support/push/bouncer';
import type { PushServer } from '../../support/push/push';
import { pushOutboxEmpty, registeredPhone, startWithPush, until } from '../../support/push/push';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';

const URL = 'https://chat.example.com';

describe('notifications of messages that are read', () => {
  let pushed: PushServer;
  let ann: Person;
  let bob: Person;
  let phone: Phone;
  let channel: ChannelId;
  beforeAll(async () => (pushed = await startWithPush({ ANNALS_URL: URL })));
  beforeEach(async () => {
    const { server, bouncer } = pushed;
    bouncer.behaviour = 'accepts';
    [ann, bob] = [await server.person({ name: 'Ann' }), await server.person({ name: 'Bob' })];
    ({ phone } = await registeredPhone(server, bouncer, bob));
    channel = await server.channel(ann, { subscribers: [ann, bob] });
  });
  afterAll(() => pushed.close());

  const direct = async () =>
    granted(await ann.post<{ id: number }>('/messages', { type: 'direct', to: [bob.id], content: 'hello' })).id;
  const say = async (topic = 'plans', content = '@**all** hello') =>
    granted(await ann.post<{ id: number }>('/messages', { type: 'channel', to: channel, topic, content })).id;
  const mark = async (messages: readonly number[], op = 'add', by = bob) =>
    granted(await by.post('/messages/flags', { messages: [...messages], op, flag: 'read' }));
  const unsubscribe = async () => {
    const { stream } = granted(await ann.get<{ stream: { name: string } }>(`/streams/${channel}`));
    granted(await bob.delete('/users/me/subscriptions', { subscriptions: [stream.name] }));
  };
  const done = async () => {
    await pushed.server.settled();
    await pushOutboxEmpty(pushed.server.kernel, () => pushed.server.clock.advance(1_000));
  };
  const sentTo = ({ token }: Phone) =>
    pushed.bouncer.notified.calls.flatMap(([one]) => (one.phone === token ? one : []));
  /** Messages of which a phone was notified. */
  const notified = (of = phone) =>
    sentTo(of).flatMap(({ text }) => (text['type'] === 'message' ? [text['message_id']] : []));
  /** The messages of each removal that a phone received. */
  const removed = (of = phone) =>
    sentTo(of).flatMap(({ text }) => (text['type'] === 'remove' ? [text['message_ids']] : []));
  /** Messages of which the phone was notified. */
  async function pushedMessages(...sends: readonly (() => Promise<number>)[]): Promise<number[]> {
    const ids: number[] = [];
    for (const send of sends) ids.push(await send());
    await done();
    expect(notified()).toEqual(expect.arrayContaining(ids));
    return ids;
  }

  it('are removed by one request for each device', async () => {
    const second = (await registeredPhone(pushed.server, pushed.bouncer, bob, 'apns')).phone;
    const ids = await pushedMessages(direct, say);
    await mark(ids);
    await done();
    const removal = { type: 'remove', realm_url: URL, realm_name: 'Annals', user_id: bob.id, message_ids: ids };
    for (const one of [phone, second]) {
      expect(sentTo(one).filter(({ text }) => text['type'] === 'remove')).toEqual([
        expect.objectContaining({ text: removal }),
      ]);
    }
    const silent = { apns_priority: 5, apns_push_type: 'background' };
    expect(sentTo(second).at(-1)?.request).toMatchObject({ http_headers: silent });
    expect(sentTo(phone).at(-1)?.request).toMatchObject({ fcm_priority: 'normal' });
  });

  it('are removed for the user who read them, and for no other', async () => {
    const cai = await pushed.server.person({ name: 'Cai' });
    const other = (await registeredPhone(pushed.server, pushed.bouncer, cai)).phone;
    channel = await pushed.server.channel(ann, { subscribers: [ann, bob, cai] });
    const [id = 0] = await pushedMessages(say);
    expect(notified(other)).toEqual([id]);
    await mark([id]);
    await done();
    expect([removed(), removed(other)]).toEqual([[[id]], []]);
    await mark([id], 'add', cai);
    await done();
    expect([removed(), removed(other)]).toEqual([[[id]], [[id]]]);
  });

  it('are removed once, and nothing is removed of messages that were not pushed', async () => {
    const quiet = await say('plans', 'nothing special');
    const [id = 0] = await pushedMessages(say);
    const asked = pushed.bouncer.asked.calls.length;
    await mark([quiet]);
    await done();
    expect(pushed.bouncer.asked.calls).toHaveLength(asked);
    await mark([quiet, id]);
    await mark([id], 'remove');
    await mark([id]);
    await done();
    expect(removed()).toEqual([[id]]);
  });

  it('are removed by each act that makes messages read', async () => {
    const acts: readonly (() => Promise<unknown>)[] = [
      () => bob.post('/mark_all_as_read'),
      () => bob.post('/mark_stream_as_read', { stream_id: channel }),
      () => bob.post('/mark_topic_as_read', { stream_id: channel, topic_name: 'plans' }),
      () =>
        bob.post('/messages/flags/narrow', {
          ...{ anchor: 'newest', num_before: 5, num_after: 0, narrow: [], op: 'add', flag: 'read' },
        }),
      () => bob.post(`/users/me/muted_users/${ann.id}`),
    ];
    for (const act of acts) {
      const before = removed().length;
      const ids = await pushedMessages(say);
      granted((await act()) as Awaited<ReturnType<Person['post']>>);
      await done();
      expect(removed().slice(before)).toEqual([ids]);
    }
  });

  it('are removed when access is lost: the user unsubscribes, or messages are moved to a channel without the user', async () => {
    const elsewhere = await pushed.server.channel(ann, { subscribers: [ann] });
    const [moved = 0, movedToo = 0, one = 0, left = 0] = await pushedMessages(
      ...['moves', 'moves', 'one'].map((topic) => () => say(topic)),
      direct,
    );
    const move = { stream_id: elsewhere, topic: 'there' };
    granted(await ann.patch(`/messages/${moved}`, { ...move, propagate_mode: 'change_all' }));
    await done();
    expect(removed()).toEqual([[moved, movedToo]]);
    const [two = 0] = await pushedMessages(() => say('one'));
    granted(await ann.patch(`/messages/${two}`, { ...move, propagate_mode: 'change_one' }));
    await done();
    expect(removed().slice(1)).toEqual([[two]]);
    await unsubscribe();
    await done();
    expect(removed().slice(2)).toEqual([[one]]);
    await mark([left]);
    await done();
    expect(removed().slice(3)).toEqual([[left]]);
  });

  it('stay where messages are moved within the channel or starred', async () => {
    const [id = 0] = await pushedMessages(say);
    granted(await ann.patch(`/messages/${id}`, { topic: 'renamed', propagate_mode: 'change_all' }));
    granted(await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }));
    await done();
    expect(removed()).toEqual([]);
  });

  it('are not sent for a message that was read before the push service is reachable', async () => {
    pushed.bouncer.behaviour = 'away';
    const asked = pushed.bouncer.asked.calls.length;
    const [read, unread] = [await say(), await say()];
    await until(() => pushed.bouncer.asked.calls.length >= asked + 2);
    await mark([read]);
    pushed.bouncer.behaviour = 'accepts';
    await done();
    expect(notified()).toEqual([unread]);
    expect(removed()).toEqual([]);
  });

  it('are removed where they are read while they are sent', async () => {
    pushed.bouncer.behaviour = 'slow';
    const asked = pushed.bouncer.asked.calls.length;
    const id = await say();
    await until(() => pushed.bouncer.asked.calls.length > asked);
    await mark([id]);
    await pushed.server.settled();
    pushed.bouncer.behaviour = 'accepts';
    pushed.bouncer.release();
    await done();
    expect(notified()).toEqual([id]);
    expect(removed()).toEqual([[id]]);
  });

  it('are not removed from the devices of a deactivated account', async () => {
    const [id = 0] = await pushedMessages(say);
    granted(await pushed.server.owner.delete(`/users/${bob.id}`));
    granted(await pushed.server.owner.delete(`/messages/${id}`));
    await done();
    expect(removed()).toEqual([]);
  });
});
