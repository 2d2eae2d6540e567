import type { ChannelId } from '@annals/kernel/domain';
import { listPushes, retryPushes } from '../../../apps/cli/src/commands/push';
import type { Phone, ReferenceBouncer } from '../../support/push/bouncer';
import type { Answer } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { PushServer } from '../../support/push/push';
import { pushOutboxEmpty, registeredPhone, startWithPush, until } from '../../support/push/push';
import { withoutDefaultChannels } from '../../support/requests/channels';
import type { TestServer } from '../../support/server/server';

const URL = 'https://chat.example.com';

let pushed: PushServer;
let bouncer: ReferenceBouncer;
let server: TestServer;
let [ann, bob]: Person[] = [];
let phone: Phone;
let deviceId: number;
let to: ChannelId;
beforeAll(async () => {
  pushed = await startWithPush({ ANNALS_URL: URL });
  ({ server, bouncer } = pushed);
});
beforeEach(async () => {
  bouncer.behaviour = 'accepts';
  [ann, bob] = [await server.person({ name: 'Ann Example' }), await server.person({ name: 'Bob Example' })];
  ({ phone, deviceId } = await registeredPhone(server, bouncer, bobs()));
  to = await server.channel(anns(), { subscribers: [anns(), bobs()] });
});
afterAll(() => pushed.close());

const anns = () => ann as Person;
const bobs = () => bob as Person;
/** By message, the removals at the end: simultaneous notifications may arrive in any order. */
const texts = (of = phone) => {
  const received = bouncer.notified.calls.flatMap(([one]) => (one.phone === of.token ? [one.text] : []));
  const place = ({ message_id: id }: (typeof received)[number]) => (typeof id === 'number' ? id : Infinity);
  return received.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
};
const idOf = async (sent: Promise<Answer<{ id: number }>>) => granted(await sent);
const direct = async (content: string, by = anns()) =>
  (await idOf(by.post<{ id: number }>('/messages', { type: 'direct', to: [bobs().id], content }))).id;
const say = async (content: string, topic = 'plans', by = anns()) =>
  (await idOf(by.post<{ id: number }>('/messages', { type: 'channel', to, topic, content }))).id;
const nameOf = async (channel: ChannelId) =>
  granted(await anns().get<{ stream: { name: string } }>(`/streams/${channel}`)).stream.name;
/** All notifications so far, without the direct message that marks the end. */
async function notified(of = phone) {
  await server.settled();
  const last = await direct('the last of all');
  const all = () => texts(of).map(({ message_id: id, message_ids: ids, type }) => (type === 'message' ? id : ids));
  await pushOutboxEmpty(server.kernel);
  expect(texts()).toContainEqual(expect.objectContaining({ message_id: last }));
  return all().filter((id) => id !== last);
}
/** The messages whose notifications arrive once the push service is available again. */
async function notifiedOnceBack() {
  bouncer.behaviour = 'accepts';
  const tick = () => server.clock.advance(1_000);
  await until(() => texts().length > 0, tick);
  await pushOutboxEmpty(server.kernel, tick);
  return texts().map(({ message_id }) => message_id);
}

describe('a notification', () => {
  it('of a direct message contains what a phone shows', async () => {
    const id = await direct('See **this**: :smile: <b> & `code`');
    expect(await notified()).toEqual([id]);
    expect(texts()[0]).toEqual({
      type: 'message',
      realm_url: URL,
      realm_name: 'Annals',
      user_id: bobs().id,
      sender_id: anns().id,
      sender_avatar_url: expect.stringMatching(/^https:\/\/.*gravatar/) as unknown,
      sender_full_name: 'Ann Example',
      message_id: id,
      time: server.clock.now() / 1000,
      content: expect.stringMatching(/^See this: .* <b> & code$/) as unknown,
      recipient_type: 'direct',
      recipient_user_ids: [anns().id, bobs().id].sort((a, b) => a - b),
    });
  });

  it('of a channel names channel and topic', async () => {
    const id = await say(`@**Bob Example|${bobs().id}** look`);
    expect(await notified()).toEqual([id]);
    const name = await nameOf(to);
    const place = { channel_id: to, channel_name: name, topic: 'plans', recipient_type: 'channel' };
    expect(texts()[0]).toMatchObject({ ...place, content: '@Bob Example look' });
    expect(texts()[0]).not.toHaveProperty('recipient_user_ids');
  });

  it('is sent according to the settings of the user', async () => {
    await say('nothing special');
    const all = await say('@**all** hear');
    await direct('to myself', bobs());
    await say('@**all** I say', 'plans', bobs());
    // The recipients depend on the settings at the time of the dispatch.
    await server.settled();
    granted(
      await bobs().post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: to, property: 'push_notifications', value: true }],
      }),
    );
    const wanted = await say('now I want it');
    granted(await bobs().post('/user_topics', { stream_id: to, topic: 'quiet', visibility_policy: 1 }));
    await say('muted', 'quiet');
    expect(await notified()).toEqual([all, wanted]);
    granted(await bobs().patch('/settings', { enable_offline_push_notifications: false }));
    await server.settled();
    const before = texts().length;
    await direct('not on the phone');
    const loud = await say('still in the channel');
    await until(() => texts().length > before);
    expect(
      texts()
        .slice(before)
        .map(({ message_id }) => message_id),
    ).toEqual([loud]);
  });

  it('is sent for a mentioned group, and for a followed topic', async () => {
    const { group_id } = granted(
      await anns().post<{ group_id: number }>('/user_groups/create', {
        ...{ name: `crew ${bobs().id}`, description: '', members: [bobs().id] },
      }),
    );
    expect(group_id).toBeGreaterThan(0);
    const mentioning = await say(`@*crew ${bobs().id}* come`);
    granted(await bobs().post('/user_topics', { stream_id: to, topic: 'followed', visibility_policy: 3 }));
    const followed = await say('news', 'followed');
    expect(await notified()).toEqual([mentioning, followed]);
    const [withGroup, alone] = texts();
    expect(withGroup).toMatchObject({
      mentioned_user_group_id: group_id,
      mentioned_user_group_name: `crew ${bobs().id}`,
    });
    expect(alone).not.toHaveProperty('mentioned_user_group_id');
    const byName = await say(`@*crew ${bobs().id}* and @**Bob Example|${bobs().id}**`);
    await until(() => texts().some(({ message_id }) => message_id === byName));
    expect(texts().find(({ message_id }) => message_id === byName)).not.toHaveProperty('mentioned_user_group_id');
  });

  it('is sent for a topic wildcard to participants of that time, even if their messages were deleted since', async () => {
    await say('@**topic** who is here?');
    const written = await say('I am', 'plans', bobs());
    bouncer.behaviour = 'away';
    const asked = bouncer.asked.calls.length;
    const mentioning = await say('@**topic** come');
    await until(() => bouncer.asked.calls.length > asked);
    granted(await server.owner.delete(`/messages/${written}`));
    expect(await notifiedOnceBack()).toEqual([mentioning]);
  });

  it('does not count a topic that is followed because of this message', async () => {
    granted(await bobs().patch('/settings', { enable_offline_push_notifications: false }));
    const mention = `@**Bob Example|${bobs().id}**`;
    granted(await bobs().post('/user_topics', { stream_id: to, topic: 'unmuted', visibility_policy: 2 }));
    await say(`${mention} begins to follow it`, 'followed');
    await say(`${mention} begins to follow it`, 'unmuted');
    await say('and hears of what comes next', 'elsewhere');
    const next = [await say('this', 'followed'), await say('and that', 'unmuted')];
    await server.settled();
    await pushOutboxEmpty(server.kernel);
    expect(texts().map(({ message_id }) => message_id)).toEqual(next);
  });

  it('does not reveal an inaccessible sender to a guest', async () => {
    await withoutDefaultChannels(server.owner);
    const groups = granted(
      await server.owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups'),
    ).user_groups;
    const idOfGroup = (name: string) => groups.find((group) => group.name === name)?.id;
    const restrict = async (name: string) =>
      granted(await server.owner.patch('/realm', { can_access_all_users_group: { new: idOfGroup(name) } }));
    const gus = await server.person({ name: 'Gus Guest', role: 'guest' });
    const own = await registeredPhone(server, bouncer, gus);
    granted(
      await anns().post('/users/me/subscriptions', {
        subscriptions: [{ name: await nameOf(to) }],
        principals: [gus.id],
      }),
    );
    await restrict('role:members');
    const content = `@**Gus Guest|${gus.id}** hello`;
    granted(await anns().post('/messages', { type: 'channel', to, topic: 'x', content }));
    const stranger = await server.person({ name: 'Eve Example' });
    granted(await stranger.post('/messages', { type: 'channel', to, topic: 'x', content }));
    const received = () => texts(own.phone).filter(({ recipient_type }) => recipient_type === 'channel');
    await until(() => received().length >= 2);
    expect(received().map(({ sender_id, sender_full_name }) => [sender_id, sender_full_name])).toEqual([
      [anns().id, 'Ann Example'],
      [stranger.id, 'Unknown user'],
    ]);
    expect(JSON.stringify(received()[1])).not.toMatch(/Eve/);
    await restrict('role:everyone');
  });

  it('is not sent to users without access to the message, or deactivated', async () => {
    const closed = await server.channel(anns(), { subscribers: [anns()], invite_only: true });
    const content = `@**Bob Example|${bobs().id}** psst`;
    granted(await anns().post('/messages', { type: 'channel', to: closed, topic: 'x', content }));
    expect(await notified()).toEqual([]);
    const open = await server.channel(anns(), { subscribers: [anns()] });
    const seen = await idOf(
      anns().post<{ id: number }>('/messages', { type: 'channel', to: open, topic: 'x', content }),
    );
    expect((await notified()).slice(-1)).toEqual([seen.id]);
    granted(await server.owner.delete(`/users/${bobs().id}`));
    const asked = bouncer.asked.calls.length;
    await say('@**all** anybody?');
    await server.settled();
    await pushOutboxEmpty(server.kernel);
    expect(bouncer.asked.calls).toHaveLength(asked);
  });

  it('is removed when its message is deleted, if it was sent', async () => {
    const [one, quiet, two] = [await say('@**all** one'), await say('quiet'), await say('@**all** two')];
    expect(await notified()).toEqual([one, two]);
    for (const id of [one, quiet]) granted(await server.owner.delete(`/messages/${id}`));
    expect((await notified()).slice(-1)).toEqual([[one]]);
    const removal = texts().find(({ type }) => type === 'remove');
    expect(removal).toEqual({
      type: 'remove',
      realm_url: URL,
      realm_name: 'Annals',
      user_id: bobs().id,
      message_ids: [one],
    });
    granted(await server.owner.post(`/streams/${to}/delete_topic`, { topic_name: 'plans' }));
    expect((await notified()).slice(-1)).toEqual([[two]]);
  });

  it('is not sent when its message is deleted before the push service is reachable', async () => {
    bouncer.behaviour = 'away';
    const asked = bouncer.asked.calls.length;
    const [deleted, kept] = [await say('@**all** never mind'), await say('@**all** hello')];
    await until(() => bouncer.asked.calls.length >= asked + 2);
    granted(await server.owner.delete(`/messages/${deleted}`));
    expect(await notifiedOnceBack()).toEqual([kept]);
  });

  it('that fails for hours becomes a dead letter, until an operator retries it', async () => {
    bouncer.behaviour = 'broken';
    const id = await say('@**all** hello');
    const asked = bouncer.asked.calls.length;
    await until(() => bouncer.asked.calls.length > asked);
    server.clock.advance(7 * 3_600_000);
    await pushOutboxEmpty(server.kernel, () => server.clock.advance(60_000));
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    expect(await listPushes(server.kernel, false, print)).toBe(0);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`position ${id}, message: too old \\(broken\\)$`))]);
    expect(texts()).toEqual([]);
    const givenUp = async () => (await server.kernel.queueFigures()).find(({ name }) => name === 'push')?.givenUp;
    expect(await givenUp()).toEqual({ count: 1, listedBy: 'annals push list' });
    bouncer.behaviour = 'accepts';
    expect(await retryPushes(server.kernel, print)).toBe(0);
    expect(lines.at(-1)).toBe('1 will be tried again.');
    await until(() => texts().length > 0);
    expect(texts().map(({ message_id }) => message_id)).toEqual([id]);
    await pushOutboxEmpty(server.kernel);
    expect(await listPushes(server.kernel, false, print)).toBe(0);
    expect(lines.at(-1)).toBe('No push notification has failed.');
    expect(await givenUp()).toMatchObject({ count: 0 });
  });

  it('detects an expired token, and continues without it', async () => {
    bouncer.expired.add(phone.token);
    const events = await bobs().receive(async () => {
      await direct('hello');
      await server.settled();
      await pushOutboxEmpty(server.kernel);
      await server.settled();
    }, 'device');
    expect(events.map(({ id: _, ...event }) => event)).toEqual([
      { type: 'device', op: 'update', device_id: deviceId, push_token_id: null },
    ]);
  });

  it('is encrypted with the present key', async () => {
    const changed = bouncer.rekeyed(phone);
    granted(
      await bobs().post('/mobile_push/register', { device_id: deviceId, ...bouncer.registration(changed, 'key') }),
    );
    const id = await direct('with another key');
    expect(await notified()).toEqual([id]);
  });

  it('is not sent to a removed device', async () => {
    granted(await bobs().post('/remove_client_device', { device_id: deviceId }));
    const asked = bouncer.asked.calls.length;
    await direct('hello');
    await server.settled();
    await pushOutboxEmpty(server.kernel);
    expect(bouncer.asked.calls).toHaveLength(asked);
  });
});
