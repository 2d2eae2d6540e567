import type { Instant } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

/** A clock that can be set to advance whenever it is read. */
class HastyClock extends ManualClock {
  /** Milliseconds for each look. */
  pace = 0;

  override now(): Instant {
    if (this.pace > 0) this.advance(this.pace);
    return super.now();
  }
}

const clock = new HastyClock(Date.UTC(2026, 0, 1) as Instant);
let server: TestServer;
let owner: Person;
let member: Person;
beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = server.owner;
  member = await server.person();
});
afterAll(() => server.close());

const complete = { status: 200, body: { result: 'success', msg: '', complete: true } };
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const post = async (by: Person, to: number, topic: string) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic, content: 'x' })).id;
const several = async (count: number, to: number, topic: string) => {
  const ids = [];
  for (let n = 0; n < count; n++) ids.push(await post(owner, to, topic));
  return ids;
};
const remove = async (by: Person, channel: number, params: Params) => {
  const { status, body } = await by.post(`/streams/${channel}/delete_topic`, params);
  return { status, body };
};
const topics = async (by: Person, channel: number) =>
  granted(
    await by.get<{ topics: { name: string }[] }>(`/users/me/${channel}/topics`, { allow_empty_topic_name: true }),
  ).topics.map(({ name }) => name);
const left = async (by: Person, channel: number) => {
  const asked = { narrow: [{ operator: 'channel', operand: channel }], anchor: 'oldest', num_after: 1000 };
  return granted(await by.get<{ messages: { id: number }[] }>('/messages', asked)).messages.map(({ id }) => id);
};
const stored = async (table: string, channel: number) => {
  const asked = `SELECT count(*)::int4 AS count FROM view.${table} WHERE realm_id = 1 AND channel_id = $1`;
  return (await server.kernel.database.pool.query<{ count: number }>(asked, [channel])).rows[0]?.count;
};

describe('POST /streams/{stream_id}/delete_topic', () => {
  it('deletes all messages of a topic, in any letter case, and no others', async () => {
    const to = await server.channel(owner);
    const kept = [await post(owner, to, 'other'), await post(owner, to, '✔ lunch')];
    for (const name of ['Lunch', 'LUNCH', 'Lunch']) await post(owner, to, name);
    expect(await remove(owner, to, { topic_name: ' lunch ' })).toEqual(complete);
    expect(await left(owner, to)).toEqual(kept);
    expect((await topics(owner, to)).sort()).toEqual(['other', '✔ lunch']);
    expect(await stored('topics', to)).toBe(2);
  });

  it.each(['', 'general chat'])('reads %p as the empty topic', async (topic_name) => {
    const to = await server.channel(owner);
    const kept = await post(owner, to, '(no topic) at all');
    await post(owner, to, '');
    expect(await remove(owner, to, { topic_name })).toEqual(complete);
    expect(await left(owner, to)).toEqual([kept]);
  });

  it('does nothing for an unknown or deleted topic', async () => {
    const to = await server.channel(owner);
    const name = 'x'.repeat(60);
    const id = await post(owner, to, name);
    for (const topic_name of ['nothing', '(no topic)', `${'x'.repeat(57)}...`, 'x'.repeat(61), '\n', 'a\tb']) {
      expect(await remove(owner, to, { topic_name })).toEqual(complete);
    }
    expect(await left(owner, to)).toEqual([id]);
    expect(await remove(owner, to, { topic_name: name })).toEqual(complete);
    expect(await remove(owner, to, { topic_name: name })).toEqual(complete);
  });

  it.each([
    ['owner', true],
    ['administrator', true],
    ['moderator', false],
    ['member', false],
    ['guest', false],
  ] as const)('%s: %s', async (role, may) => {
    const by = role === 'owner' ? owner : await server.person({ role });
    const to = await server.channel(owner, { subscribers: [owner, by] });
    const id = await post(owner, to, 'lunch');
    const unauthorized = { status: 400, body: { result: 'error', code: 'UNAUTHORIZED_PRINCIPAL' } };
    expect(await remove(by, to, { topic_name: 'lunch' })).toMatchObject(may ? complete : unauthorized);
    expect(await left(owner, to)).toEqual(may ? [] : [id]);
    // Without access, other errors are not revealed.
    if (!may) expect(await remove(by, 999_999, {})).toMatchObject(unauthorized);
  });

  it('is not allowed to bots of members, and is allowed to administrator bots', async () => {
    const bot = await server.bot(owner);
    const to = await server.channel(owner, { subscribers: [owner, bot] });
    await post(owner, to, 'lunch');
    expect(await remove(bot, to, { topic_name: 'lunch' })).toMatchObject({ body: { code: 'UNAUTHORIZED_PRINCIPAL' } });
    granted(await owner.patch(`/users/${bot.id}`, { role: 200 }));
    expect(await remove(bot, to, { topic_name: 'lunch' })).toEqual(complete);
  });

  it('refuses missing, malformed and inaccessible values', async () => {
    const [hidden, archived] = [
      await server.channel(member, { invite_only: true }),
      await server.channel(owner, { subscribers: [owner] }),
    ];
    const ids = [await post(member, hidden, 'lunch'), await post(owner, archived, 'lunch')];
    granted(await owner.delete(`/streams/${archived}`));
    expect(await remove(owner, hidden, {})).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'topic_name' },
    });
    expect(await remove(owner, hidden, { topic_name: 'a\0b' })).toMatchObject(refused);
    const never = await remove(owner, 999_999, { topic_name: 'lunch' });
    expect(never).toMatchObject(refused);
    for (const id of [hidden, archived, 2 ** 31 - 1])
      expect(await remove(owner, id, { topic_name: 'lunch' })).toEqual(never);
    expect(await remove(owner, 2 ** 40, { topic_name: 'lunch' })).toMatchObject(refused);
    expect([...(await left(member, hidden)), ...(await left(owner, archived))]).toEqual(ids);
  });

  it('keeps messages that the actor cannot see, where history is protected', async () => {
    const to = await server.channel(member, { invite_only: true, history_public_to_subscribers: false });
    const name = granted(await member.get<{ stream: { name: string } }>(`/streams/${to}`)).stream.name;
    const early = await post(member, to, 'lunch');
    granted(await member.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [owner.id] }));
    await post(member, to, 'lunch');
    granted(await member.post('/user_topics', { stream_id: to, topic: 'lunch', visibility_policy: 3 }));
    expect(await remove(owner, to, { topic_name: 'lunch' })).toEqual(complete);
    expect(await left(member, to)).toEqual([early]);
    // To some the topic is still there, and what they chose for it.
    const chosen = async () => {
      const { user_topics } = await member.register({ fetch_event_types: ['user_topic'] });
      return (user_topics as { stream_id: number }[]).filter(({ stream_id }) => stream_id === to);
    };
    expect(await chosen()).toMatchObject([{ topic_name: 'lunch', visibility_policy: 3 }]);
    expect(await remove(owner, to, { topic_name: 'lunch' })).toEqual(complete);
    expect(await stored('topics', to)).toBe(1);
    granted(await member.delete(`/messages/${early}`));
    expect(await remove(owner, to, { topic_name: 'lunch' })).toEqual(complete);
    expect(await chosen()).toEqual([]);
  });

  it('deletes newest first, a hundred at a time, each hundred in one event', async () => {
    const to = await server.channel(owner);
    const ids = await several(101, to, 'long');
    const input = { event_types: ['delete_message'], client_capabilities: { bulk_message_deletion: true } };
    const events = await owner.receive(() => remove(owner, to, { topic_name: 'long' }), input);
    expect(events.map((event) => event['message_ids'])).toEqual([ids.slice(1), ids.slice(0, 1)]);
  });

  it('stops at its time limit, and continues with the next request', async () => {
    const to = await server.channel(owner);
    const ids = await several(150, to, 'long');
    clock.pace = 60_000;
    const first = await remove(owner, to, { topic_name: 'long' });
    clock.pace = 0;
    expect(first).toEqual({ status: 200, body: { result: 'success', msg: '', complete: false } });
    expect(await left(owner, to)).toEqual(ids.slice(0, 50));
    expect(await remove(owner, to, { topic_name: 'long' })).toEqual(complete);
    expect(await left(owner, to)).toEqual([]);
  });

  it('ends while users keep posting; their messages are deleted or in a new topic', async () => {
    const to = await server.channel(owner, { subscribers: [owner, member] });
    await several(120, to, 'busy');
    let isOver = false;
    const posted: number[] = [];
    const keepPosting = async (by: Person) => {
      while (!isOver) posted.push(await post(by, to, 'busy'));
    };
    const posters = [keepPosting(owner), keepPosting(member), keepPosting(member)];
    expect(await remove(owner, to, { topic_name: 'busy' })).toEqual(complete);
    const after = await post(owner, to, 'busy');
    isOver = true;
    await Promise.all(posters);
    const rest = await left(owner, to);
    expect(rest).toContain(after);
    expect(posted.concat(after)).toEqual(expect.arrayContaining(rest));
    expect(await topics(owner, to)).toEqual(['busy']);
    // The remaining messages are in topics that exist, and the channel has the oldest one as its first message.
    const { stream } = granted(await owner.get<{ stream: { first_message_id: number } }>(`/streams/${to}`));
    expect(stream.first_message_id).toBe(rest[0]);
    const { rows } = await server.kernel.database.pool.query(
      `SELECT FROM view.messages AS m LEFT JOIN view.topics AS t ON t.realm_id = m.realm_id AND t.topic_id = m.topic_id
       WHERE m.realm_id = 1 AND m.channel_id = $1 AND t.topic_id IS NULL`,
      [to],
    );
    expect(rows).toEqual([]);
  });
});
