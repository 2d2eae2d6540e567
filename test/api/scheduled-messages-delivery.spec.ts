import { granted } from '../support/caller';
import { startCast } from '../support/cast';
import type { Message } from '../support/messages';
import { inChannel, read } from '../support/notices';
import type { Person } from '../support/organization';
import { inMinutes, schedule, scheduledId, scheduledOf } from '../support/scheduling';
import type { TestServer } from '../support/server';

const MINUTE = 60_000;

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => {
  ({ server, owner, member, other, groups } = await startCast());
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
/** What the notification bot told somebody, newest last. */
const told = async (by: Person) => {
  const direct = await read(by, [{ operator: 'is', operand: 'dm' }]);
  return direct.filter(({ sender_id }) => ![owner.id, member.id, other.id].includes(sender_id as never));
};

describe('a scheduled message that cannot be sent', () => {
  it.each<[string, RegExp, () => Promise<{ params: object; harm: () => Promise<unknown> }>]>([
    [
      'because its channel does not let its author send any more',
      /permission/,
      async () => {
        const to = await channelOf();
        const harm = () => owner.patch(`/streams/${to}`, { can_send_message_group: { new: groups['administrators'] } });
        return { params: { to }, harm };
      },
    ],
    [
      'because its author lost access to its channel',
      /./,
      async () => {
        const to = await channelOf({ invite_only: true });
        const { name } = granted(await owner.get<{ stream: { name: string } }>(`/streams/${to}`)).stream;
        const harm = () => owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [member.id] });
        return { params: { to }, harm };
      },
    ],
    [
      'because its channel was archived',
      /archived/,
      async () => {
        const to = await channelOf();
        return { params: { to }, harm: () => owner.delete(`/streams/${to}`) };
      },
    ],
    [
      'because topics are required now',
      /general chat/,
      async () => {
        const to = await channelOf();
        return {
          params: { to, topic: '' },
          harm: () => owner.patch(`/streams/${to}`, { topics_policy: 'disable_empty_topic' }),
        };
      },
    ],
    [
      'because its recipient has gone',
      /./,
      async () => {
        const leaver = await server.person();
        return { params: { type: 'direct', to: [leaver.id] }, harm: () => owner.delete(`/users/${leaver.id}`) };
      },
    ],
  ])('%s has failed, and its author is told', async (_, reason, prepare) => {
    const { params, harm } = await prepare();
    const at = due();
    const id = await later(member, { content: 'too bold', ...params });
    granted((await harm()) as Awaited<ReturnType<Person['get']>>);
    const before = await named(member, id);
    const heard = await member.receive(() => pass(), { event_types: ['message', 'scheduled_messages'] });
    const record = { ...before, failed: true };
    expect(heard).toEqual([
      expect.objectContaining({ type: 'message', flags: [] }),
      { id: expect.any(Number) as number, type: 'scheduled_messages', op: 'update', scheduled_message: record },
    ]);
    expect(await named(member, id)).toEqual(record);
    const notice = (await told(member)).at(-1)?.content ?? '';
    expect(notice).toContain(`<time:${new Date(at * 1_000).toISOString()}>`);
    expect(notice).toMatch(reason);
    expect(notice).toContain('(#scheduled)');
    expect(await member.receive(() => pass(1))).toEqual([]);
    granted(await member.delete(`/scheduled_messages/${id}`));
  });

  it('because it calls too many by now has failed', async () => {
    const crowd = await Promise.all(Array.from({ length: 13 }, () => server.person()));
    const to = await server.channel(owner, { subscribers: [owner, member, ...crowd] });
    const id = await later(member, { to, content: '@**all** come' });
    granted(await owner.patch('/realm', { can_mention_many_users_group: { new: groups['nobody'] } }));
    const [newcomer] = [await server.person()];
    const { name } = granted(await owner.get<{ stream: { name: string } }>(`/streams/${to}`)).stream;
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [newcomer.id] }));
    await pass();
    expect(await named(member, id)).toMatchObject({ failed: true });
    granted(await owner.patch('/realm', { can_mention_many_users_group: { new: groups['administrators'] } }));
    granted(await member.delete(`/scheduled_messages/${id}`));
  });

  it('in time has failed, and says how late it was', async () => {
    const to = await channelOf();
    const punctual = await later(member, { to, content: 'just in time' });
    await pass(15);
    expect(await named(member, punctual)).toBeUndefined();
    const id = await later(member, { to });
    server.clock.advance(15 * MINUTE + 1);
    await server.deliverDue();
    expect(await named(member, id)).toMatchObject({ failed: true });
    expect((await told(member)).at(-1)?.content).toContain('10 minutes');
    expect((await inChannel(member, to)).at(-1)?.content).toBe('just in time');
    granted(await member.delete(`/scheduled_messages/${id}`));
  });

  it('because its author has gone has failed, of which nobody hears', async () => {
    const leaver = await server.person();
    const to = await channelOf();
    const id = await later(leaver, { to, content: 'from nobody' });
    granted(await owner.delete(`/users/${leaver.id}`));
    const heard = await owner.receive(() => pass(), { event_types: ['message', 'scheduled_messages'] });
    expect(heard).toEqual([]);
    expect((await inChannel(owner, to)).map(({ content }) => content)).not.toContain('from nobody');
    granted(await owner.post(`/users/${leaver.id}/reactivate`));
    const { api_key: key } = granted(
      await server.stranger.post<{ api_key: string }>('/fetch_api_key', {
        username: leaver.email,
        password: leaver.password,
      }),
    );
    const back = server.as({ email: leaver.email, key });
    const { scheduled_messages } = granted(await back.get<{ scheduled_messages: object[] }>('/scheduled_messages'));
    expect(scheduled_messages).toMatchObject([{ scheduled_message_id: id, failed: true }]);
    expect(await told(back as Person)).toEqual([]);
  });
});

describe('a scheduled message that is sent', () => {
  it('goes by the channel, whatever its name is now, and is rendered by what names mean then', async () => {
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

  it('is told as any message, without a local id, with the time it was sent', async () => {
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
    ['as wished, by a program', { read_by_sender: true }, {}, ['read']],
    ['as wished, by a client', { read_by_sender: false }, { 'user-agent': 'ZulipMobile/1.0' }, []],
  ])('is read by its author if it was written %s', async (_, wish, headers, flags) => {
    const to = await channelOf();
    const params = { type: 'channel', to, topic: 'x', content: 'x', scheduled_delivery_timestamp: due(), ...wish };
    granted(await member.post('/scheduled_messages', params, { headers }));
    const heard: unknown[] = [];
    const others = await other.receive(
      async () => heard.push(...(await member.receive(() => pass(), 'message'))),
      'message',
    );
    expect(heard).toMatchObject([{ flags }]);
    expect(others).toMatchObject([{ flags: [] }]);
    expect((await inChannel(member, to)).at(-1)).toMatchObject({ flags });
  });

  it('to oneself is unread, whichever client wrote it', async () => {
    const headers = { 'user-agent': 'ZulipMobile/1.0' };
    const params = { type: 'direct', to: [member.id], content: 'note', scheduled_delivery_timestamp: due() };
    granted(await member.post('/scheduled_messages', params, { headers }));
    expect(await member.receive(() => pass(), 'message')).toMatchObject([{ flags: [] }]);
  });

  it('in a new topic or conversation begins it once, however many go there', async () => {
    const pair = [await server.person(), await server.person()];
    const [one, two] = pair as [Person, Person];
    const to = await server.channel(owner, { subscribers: pair });
    const written = [];
    for (let n = 0; n < 6; n++) {
      const by = n % 2 === 0 ? one : two;
      const target = n < 4 ? { to, topic: 'new' } : { type: 'direct', to: pair.map(({ id }) => id) };
      await later(by, { ...target, content: `in turn ${n}` });
      written.push(`in turn ${n}`);
    }
    const heard = await one.receive(() => pass(), { event_types: ['message', 'user_topic'] });
    const messages = heard.filter(({ type }) => type === 'message').map(({ message }) => message as Message);
    expect(messages.map((message) => message['content'])).toEqual(written);
    expect(heard.filter(({ type }) => type === 'user_topic').length).toBeLessThan(2);
    const { topics } = granted(await one.get<{ topics: object[] }>(`/users/me/${to}/topics`));
    expect(topics).toMatchObject([{ name: 'new' }]);
  });

  it('comes in the order of the times, then of the ids, however many there are', async () => {
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

describe('while the clock steps', () => {
  it('back and forth, everything is sent once and nothing before its time', async () => {
    const to = await channelOf();
    const ids = [];
    for (const minutes of [1, 3, 5])
      ids.push(
        await later(member, { to, content: `${minutes}`, scheduled_delivery_timestamp: inMinutes(server, minutes) }),
      );
    const contents = async () => (await inChannel(member, to)).map(({ content }) => content);
    const before = (await contents()).length;
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
      expect((await contents()).length).toBe(before + sent);
    }
    expect((await contents()).slice(-3)).toEqual(['1', '3', '5']);
  });
});
