import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const MINUTE = 60_000;
const GRACE = 20_000;

let server: TestServer;
let owner: Person;
let member: Person;
let moderator: Person;
let open: number;
let next: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person();
  moderator = await server.person({ role: 'moderator' });
  const subscribers = [owner, member, moderator];
  open = await server.channel(owner, { name: 'open', subscribers });
  next = await server.channel(owner, { name: 'next', subscribers });
});
afterAll(() => server.close());

/** Seconds; `unlimited` as on the wire. */
const limits = async (within: number | 'unlimited', between: number | 'unlimited') => {
  const settings = {
    move_messages_within_stream_limit_seconds: within,
    move_messages_between_streams_limit_seconds: between,
  };
  granted(await owner.patch('/realm', settings));
};
const post = async (by: Person, to: number, topic: string) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic, content: 'hello' })).id;
/** Without the notice of a move, which is a message too. */
const edit = (by: Person, id: number, params: Params) =>
  by.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params });
const late = (first: number | null, total: number, movable: number) => ({
  status: 400,
  body: {
    result: 'error',
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    first_message_id_allowed_to_move: first,
    total_messages_in_topic: total,
    total_messages_allowed_to_move: movable,
  },
});

let count = 0;
/** A topic with two messages that are older than a minute with its grace, and two that are not. */
const aged = async (channel = open) => {
  const name = `topic ${++count}`;
  const old = [await post(member, channel, name), await post(owner, channel, name.toUpperCase())] as const;
  server.clock.advance(MINUTE + GRACE + 1);
  const young = [await post(owner, channel, name), await post(member, channel, name)] as const;
  return { name, old, young };
};

describe('the limits of moving', () => {
  it('allow a message as old as the limit and twenty seconds, and no older one', async () => {
    await limits(60, 'unlimited');
    const [first, second] = [await post(member, open, 'on time'), await post(member, open, 'too late')];
    server.clock.advance(MINUTE + GRACE);
    granted(await edit(member, first, { topic: 'in time' }));
    server.clock.advance(1);
    expect(await edit(member, second, { topic: 'in time' })).toMatchObject(late(null, 1, 0));
  });

  it.each<[string, Params, [number | 'unlimited', number | 'unlimited'], boolean]>([
    ['of another topic', { topic: 'new' }, [60, 'unlimited'], true],
    ['of another channel, for another topic', { topic: 'new' }, ['unlimited', 60], false],
    ['of another topic, for another channel', { stream_id: 1 }, [60, 'unlimited'], false],
    ['of another channel', { stream_id: 1 }, ['unlimited', 60], true],
    ['of both, for both', { stream_id: 1, topic: 'new' }, ['unlimited', 60], true],
    ['of both the other way, for both', { stream_id: 1, topic: 'new' }, [60, 'unlimited'], true],
    ['of neither', { stream_id: 1, topic: 'new' }, ['unlimited', 'unlimited'], false],
  ])('%s counts where it is about that', async (_, input, [within, between], isRefused) => {
    await limits(within, between);
    const { old, young, name } = await aged();
    const params = { ...input, ...('stream_id' in input && { stream_id: next }) };
    if ('topic' in params) params.topic = `${name} new`;
    const answer = await edit(member, old[0], params);
    if (isRefused) expect(answer).toMatchObject(late(young[0], 4, 2));
    else expect(answer.status).toBe(200);
    granted(await edit(member, young[0], params));
  });

  it('apply the smaller one where both apply, also for the counts', async () => {
    await limits(1_000_000, 60);
    const { name, old, young } = await aged();
    const input = { topic: `${name} new`, stream_id: next };
    expect(await edit(member, old[0], input)).toMatchObject(late(young[0], 4, 2));
    expect(await edit(member, young[1], { ...input, propagate_mode: 'change_all' })).toMatchObject(
      late(young[0], 4, 2),
    );
    granted(await edit(member, old[0], { topic: `${name} new`, propagate_mode: 'change_all' }));
  });

  it('refuse the whole topic for one old message, and allow the rest from the id that they name', async () => {
    await limits(60, 'unlimited');
    const { name, old, young } = await aged();
    const topic = `${name} new`;
    const all = await edit(member, young[1], { topic, propagate_mode: 'change_all' });
    expect(all).toMatchObject(late(young[0], 4, 2));
    const first = all.body['first_message_id_allowed_to_move'] as number;
    granted(await edit(member, first, { topic, propagate_mode: 'change_later' }));
    const narrow = (operand: string) => [
      { operator: 'channel', operand: open },
      { operator: 'topic', operand },
    ];
    const found = async (operand: string) => {
      const params = { narrow: narrow(operand), anchor: 'newest', num_before: 9, num_after: 0 };
      return granted(await member.get<{ messages: { id: number }[] }>('/messages', params)).messages.map(
        ({ id }) => id,
      );
    };
    expect(await found(topic)).toEqual(young);
    expect(await found(name)).toEqual(old);
  });

  it('name no message where none is recent enough', async () => {
    await limits(60, 60);
    const { name, old, young } = await aged();
    server.clock.advance(MINUTE + GRACE + 1);
    for (const propagate_mode of ['change_one', 'change_later', 'change_all']) {
      for (const id of [old[0], young[1]]) {
        expect(await edit(member, id, { topic: `${name} new`, propagate_mode })).toMatchObject(late(null, 4, 0));
      }
    }
  });

  it('do not apply to moderators, nor to resolving', async () => {
    await limits(60, 60);
    const { name, old } = await aged();
    granted(await edit(member, old[0], { topic: `✔ ${name}`, propagate_mode: 'change_all' }));
    granted(await edit(member, old[0], { topic: name, propagate_mode: 'change_all' }));
    granted(await edit(moderator, old[0], { topic: `${name} new`, stream_id: next, propagate_mode: 'change_all' }));
    const again = await aged();
    granted(await edit(owner, again.old[0], { topic: `${again.name} new` }));
  });

  it('change nothing on a refusal, not even the text of the same request', async () => {
    await limits(1, 1);
    granted(await owner.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' }));
    const { name, old } = await aged();
    const head = (await server.kernel.events.heads()).get(1 as never);
    expect((await edit(member, old[0], { topic: `${name} new`, content: 'other' })).status).toBe(400);
    expect((await server.kernel.events.heads()).get(1 as never)).toBe(head);
    granted(await edit(member, old[0], { content: 'other' }));
  });
});

describe('where history is protected', () => {
  it('only accessible messages are counted and moved', async () => {
    await limits(60, 60);
    const writer = await server.person();
    const name = 'kept';
    const subscribers = [owner, writer];
    const kept = await server.channel(owner, {
      name,
      subscribers,
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const hidden = [await post(owner, kept, 'plans'), await post(owner, kept, 'plans')];
    server.clock.advance(10 * MINUTE);
    const input = { subscriptions: [{ name }], principals: [member.id], send_new_subscription_messages: false };
    granted(await owner.post('/users/me/subscriptions', input));
    await post(owner, kept, 'plans');
    server.clock.advance(MINUTE + GRACE + 1);
    const young = await post(owner, kept, 'plans');
    const to = { topic: 'other plans', propagate_mode: 'change_all' };
    expect(await edit(member, hidden[0] ?? 0, to)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await edit(member, young, to)).toMatchObject(late(young, 2, 1));
    await limits('unlimited', 'unlimited');
    granted(await edit(member, young, to));
    const topics = async (by: Person) =>
      granted(await by.get<{ topics: unknown[] }>(`/users/me/${kept}/topics`)).topics;
    expect(await topics(writer)).toEqual([
      { name: 'other plans', max_id: young },
      { name: 'plans', max_id: hidden[1] },
    ]);
    expect(await topics(member)).toEqual([{ name: 'other plans', max_id: young }]);
  });
});
