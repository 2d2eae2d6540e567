import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

interface State {
  readonly unread_msgs: {
    readonly count: number;
    readonly pms: readonly { readonly unread_message_ids: readonly number[] }[];
    readonly streams: readonly { readonly topic: string; readonly unread_message_ids: readonly number[] }[];
  };
  readonly starred_messages: readonly number[];
}

describe('flags of messages', () => {
  let server: TestServer;
  let owner: Person;
  let mia: Person;
  let open: number;
  let secret: number;
  beforeAll(async () => {
    server = await startTestServer();
    owner = server.owner;
    mia = await server.person({ name: 'Mia' });
    open = await server.channel(owner, { name: 'open', subscribers: [owner, mia] });
    secret = await server.channel(owner, { name: 'secret', invite_only: true, subscribers: [owner] });
  });
  afterAll(() => server.close());
  beforeEach(async () => void granted(await mia.post('/mark_all_as_read')));

  const post = async (params: Params = {}) =>
    granted(
      await owner.post<{ id: number }>('/messages', {
        type: 'channel',
        to: open,
        topic: 'x',
        content: 'so',
        ...params,
      }),
    ).id;
  const change = (op: string, flag: string, messages: readonly number[]) =>
    mia.post('/messages/flags', { messages, op, flag });
  const state = async () => granted(await mia.post<State>('/register'));
  const unread = async () => {
    const { streams, pms } = (await state()).unread_msgs;
    return [...streams, ...pms].flatMap((one) => one.unread_message_ids).sort((a, b) => a - b);
  };
  const flagsOf = async (id: number) => {
    const { message } = granted(await mia.get<{ message: { flags: string[] } }>(`/messages/${id}`));
    return message.flags;
  };
  /** The flag events for the clients of Mia during an act, without their ids. */
  const received = async (act: () => Promise<unknown>) => {
    const events = await mia.receive(act, 'update_message_flags');
    return events.map(({ id: _, ...event }: WireEvent) => event);
  };

  it('are read once a client marks them so, for all clients of the user', async () => {
    const [first, second, third] = [await post(), await post(), await post()];
    expect(await unread()).toEqual([first, second, third]);
    const answer = await change('add', 'read', [third, first, 999_999]);
    expect(granted(answer)).toMatchObject({
      messages: [third, first, 999_999],
      ignored_because_not_subscribed_channels: [],
    });
    expect(await unread()).toEqual([second]);
    expect(await flagsOf(first)).toEqual(['read']);
    expect(await flagsOf(second)).toEqual([]);
    const events = await received(() => change('add', 'read', [first, second]));
    const common = { type: 'update_message_flags', op: 'add', operation: 'add' };
    expect(events).toEqual([{ ...common, flag: 'read', messages: [second], all: false }]);
  });

  it('change without an event when they are as requested already', async () => {
    const id = await post();
    granted(await change('add', 'read', [id]));
    const events = await received(async () => {
      granted(await change('add', 'read', [id]));
      granted(await change('remove', 'starred', [id]));
      granted(await change('add', 'read', []));
    });
    expect(events).toEqual([]);
  });

  it('become unread again, with the details that a client needs to count them', async () => {
    const id = await post({ topic: '', content: `@**|${mia.id}**` });
    const direct = granted(
      await owner.post<{ id: number }>('/messages', { type: 'direct', to: [mia.id], content: 'so' }),
    ).id;
    granted(await mia.post('/mark_all_as_read'));
    expect(await unread()).toEqual([]);
    const events = await received(async () => granted(await change('remove', 'read', [direct, id])));
    expect(events).toEqual([
      {
        ...{ type: 'update_message_flags', op: 'remove', operation: 'remove', flag: 'read', all: false },
        messages: [id, direct],
        message_details: {
          [id]: { type: 'stream', mentioned: true, stream_id: open, topic: 'general chat', unmuted_stream_msg: true },
          [direct]: { type: 'private', user_ids: [owner.id] },
        },
      },
    ]);
    expect(await unread()).toEqual([id, direct]);
    granted(await change('add', 'read', [id]));
    expect(await unread()).toEqual([direct]);
  });

  it('stay read in channels to which the user is not subscribed, which are reported', async () => {
    const far = await server.channel(owner, { name: 'far', subscribers: [owner] });
    const [there, here] = [await post({ to: far }), await post()];
    granted(await change('add', 'read', [here]));
    const answer = granted(await change('remove', 'read', [there, here]));
    expect(answer).toMatchObject({ messages: [there, here], ignored_because_not_subscribed_channels: [far] });
    expect(await unread()).toEqual([here]);
    expect(await flagsOf(there)).toEqual(['read', 'historical']);
  });

  it('are starred and collapsed, also where the user did not receive the message', async () => {
    const id = await post();
    granted(await change('add', 'collapsed', [id]));
    const elsewhere = await server.channel(owner, { name: 'elsewhere', subscribers: [owner] });
    const historical = await post({ to: elsewhere });
    const events = await received(async () => granted(await change('add', 'starred', [historical, id])));
    expect(events).toMatchObject([{ op: 'add', flag: 'starred', messages: [id, historical], all: false }]);
    expect(await flagsOf(id)).toEqual(['starred', 'collapsed']);
    expect(await flagsOf(historical)).toEqual(['read', 'starred', 'historical']);
    expect((await state()).starred_messages).toEqual([id, historical]);
    const edits = await mia.receive(() => owner.patch(`/messages/${historical}`, { content: 'new' }), 'update_message');
    expect(edits).toMatchObject([{ message_id: historical, flags: ['read', 'starred', 'historical'] }]);
    const removed = await received(async () => granted(await change('remove', 'starred', [historical, id])));
    expect(removed).toEqual([
      {
        ...{ type: 'update_message_flags', op: 'remove', operation: 'remove' },
        flag: 'starred',
        messages: [id, historical],
        all: false,
      },
    ]);
    expect((await state()).starred_messages).toEqual([]);
  });

  it('are all read at once', async () => {
    await post();
    const events = await received(async () =>
      expect(granted(await mia.post('/mark_all_as_read'))).toMatchObject({ complete: true }),
    );
    const common = { type: 'update_message_flags', op: 'add', operation: 'add' };
    expect(events).toEqual([{ ...common, flag: 'read', messages: [], all: true }]);
    expect((await state()).unread_msgs.count).toBe(0);
    expect(await received(async () => granted(await mia.post('/mark_all_as_read')))).toEqual([]);
    const later = await post();
    expect(await unread()).toEqual([later]);
  });

  it('are read in a topic, and in a channel', async () => {
    const [lunch, tea, other] = [
      await post({ topic: 'lunch' }),
      await post({ topic: 'tea' }),
      await post({ topic: '' }),
    ];
    granted(await mia.post('/mark_topic_as_read', { stream_id: open, topic_name: 'LUNCH' }));
    expect(await unread()).toEqual([tea, other]);
    expect(await flagsOf(lunch)).toEqual(['read']);
    granted(await mia.post('/mark_topic_as_read', { stream_id: open, topic_name: 'general chat' }));
    expect(await unread()).toEqual([tea]);
    const events = await received(async () => granted(await mia.post('/mark_stream_as_read', { stream_id: open })));
    expect(events).toMatchObject([{ op: 'add', flag: 'read', messages: [tea], all: false }]);
    expect(await unread()).toEqual([]);
  });

  it('stay read after a return to the channel', async () => {
    const id = await post();
    granted(await mia.delete('/users/me/subscriptions', { subscriptions: ['open'] }));
    granted(await mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }] }));
    expect(await unread()).toEqual([]);
    granted(await change('remove', 'read', [id]));
    expect(await unread()).toEqual([id]);
  });

  it.each([
    ['an unknown flag', { messages: [1], op: 'add', flag: 'loved' }],
    ['a flag that users cannot change', { messages: [1], op: 'add', flag: 'mentioned' }],
    ['an unknown operation', { messages: [1], op: 'toggle', flag: 'read' }],
    ['no list', { messages: 1, op: 'add', flag: 'read' }],
    ['too many messages', { messages: Array.from({ length: 10_001 }, (_, n) => n), op: 'add', flag: 'read' }],
    ['a message to star that does not exist', { messages: [999_999], op: 'add', flag: 'starred' }],
    ['a message to mark as unread that does not exist', { messages: [999_999], op: 'remove', flag: 'read' }],
  ])('do not change for %s', async (_, params) => {
    expect(await mia.post('/messages/flags', params)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  describe.each([
    ['a negative id', -1],
    ['the id 0', 0],
    ['an id above 2^31', 2 ** 31 + 1],
    ['the largest id', Number.MAX_SAFE_INTEGER],
  ])('of %s', (_, id) => {
    it.each([
      ['add', 'read'],
      ['remove', 'starred'],
      ['remove', 'collapsed'],
    ])('have nothing to %s for %s', async (op, flag) => {
      const before = await server.kernel.events.heads();
      expect(granted(await change(op, flag, [id]))).toMatchObject({ messages: [id] });
      expect(await server.kernel.events.heads()).toEqual(before);
    });

    it.each([
      ['remove', 'read'],
      ['add', 'starred'],
      ['add', 'collapsed'],
    ])('are refused for %s %s, as of any message that the user cannot see', async (op, flag) => {
      const before = await server.kernel.events.heads();
      const own = await post();
      expect(await change(op, flag, [own, id])).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
      expect(await flagsOf(own)).toEqual([]);
      const first = [...before.values()][0] ?? 0;
      expect([...(await server.kernel.events.heads()).values()]).toEqual([first + 1]);
    });
  });

  it.each([
    ['is too large', '[9007199254740992]'],
    ['is much too large', '[1e30]'],
    ['has a fraction', '[1.5]'],
    ['is text', '["1"]'],
    ['is missing', '[null]'],
  ])('are refused if an id %s', async (_, messages) => {
    const before = await server.kernel.events.heads();
    expect(await mia.post('/messages/flags', { messages, op: 'add', flag: 'read' })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: expect.stringContaining('is not an integer') as unknown },
    });
    expect(await server.kernel.events.heads()).toEqual(before);
  });

  it('do not change for messages and places that the user cannot see', async () => {
    const [own, hidden] = [await post(), await post({ to: secret, topic: 'hidden' })];
    const refused = { status: 400, body: { code: 'BAD_REQUEST' } };
    expect(await change('add', 'starred', [own, hidden])).toMatchObject(refused);
    expect((await state()).starred_messages).toEqual([]);
    expect(await mia.post('/mark_stream_as_read', { stream_id: secret })).toMatchObject(refused);
    expect(await mia.post('/mark_topic_as_read', { stream_id: secret, topic_name: 'hidden' })).toMatchObject(refused);
    expect(await mia.post('/mark_topic_as_read', { stream_id: open, topic_name: 'none' })).toMatchObject(refused);
    expect(await mia.post('/mark_stream_as_read', { stream_id: 999_999 })).toMatchObject(refused);
  });
});
