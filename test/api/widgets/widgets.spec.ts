import { Eraser, StorageCleanup } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Submessage } from '../../support/requests/messages';
import { changeWidget, idOf, send, sendDirect, submessagesOf, vote } from '../../support/requests/messages';
import { copiesOf } from '../../support/laws/copies';
import { tracesOf } from '../../support/laws/traces';
import { newest, undone } from '../../support/requests/undo';
import { inMinutes, schedule } from '../../support/requests/scheduling';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const POLL = '/poll Lunch?\nsoup\n- cake';

let server: TestServer;
let owner: Person;
let mia: Person;
let otto: Person;
let open: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  mia = await server.person({ name: 'Mia' });
  otto = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, mia] });
});
afterAll(() => server.close());

const refused = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });
const poll = (by: Person, params: Params = {}) => idOf(send(by, { to: open, content: POLL, ...params }));
const contents = (submessages: readonly Submessage[]) =>
  submessages.map(({ content }) => JSON.parse(content) as object);

describe('a message that begins with a command', () => {
  it('has a first submessage, in answers and in its event', async () => {
    const [event] = await mia.receive(() => poll(owner), 'message');
    const received = event?.['message'] as { id: number; content: string; submessages: Submessage[] };
    const content = expect.any(String) as string;
    const first = { id: received.id, message_id: received.id, sender_id: owner.id, msg_type: 'widget', content };
    expect(received).toMatchObject({ content: expect.stringContaining('/poll Lunch?') as string });
    expect(received.submessages).toEqual([first]);
    expect(contents(received.submessages)).toEqual([
      { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['soup', 'cake'] } },
    ]);
    expect(await submessagesOf(mia, received.id)).toEqual(received.submessages);
    const list = await idOf(sendDirect(mia, [owner.id], { content: '/todo Food\nbread: dark' }));
    expect(contents(await submessagesOf(owner, list))).toEqual([
      { widget_type: 'todo', extra_data: { task_list_title: 'Food', tasks: [{ task: 'bread', desc: 'dark' }] } },
    ]);
  });

  it('is a widget also when it was scheduled', async () => {
    granted(await schedule(mia, { to: open, content: POLL, scheduled_delivery_timestamp: inMinutes(server, 5) }));
    server.clock.advance(5 * 60_000);
    const [event] = await owner.receive(() => server.deliverDue(), 'message');
    expect((event?.['message'] as { submessages: object[] }).submessages).toHaveLength(1);
  });

  it('keeps its text, and may be moved', async () => {
    const id = await poll(owner);
    for (const content of ['soup it is', POLL]) {
      expect(await owner.patch(`/messages/${id}`, { content })).toMatchObject(refused('Widgets cannot be edited.'));
    }
    granted(await owner.patch(`/messages/${id}`, { topic: 'food' }));
    expect(await submessagesOf(mia, id)).toHaveLength(1);
    const text = await idOf(send(owner, { to: open }));
    granted(await owner.patch(`/messages/${text}`, { content: POLL }));
    expect(await submessagesOf(mia, text)).toEqual([]);
  });
});

describe('the parameter widget_content', () => {
  const choice = { type: 'multiple_choice', short_name: 'A', long_name: 'a cat', reply: '@**trivia** answer q1 A' };
  const extra_data = { type: 'choices', heading: 'What purrs?', choices: [choice] };
  const zform = { widget_type: 'zform', extra_data };
  const quiz = (params: Params = {}) =>
    idOf(send(mia, { to: open, content: 'a quiz', widget_content: zform, ...params }));

  it('makes buttons, which clients receive with the message, and nobody changes', async () => {
    const [event] = await owner.receive(() => quiz({ content: '/poll a quiz' }), 'message');
    const { id, submessages } = event?.['message'] as { id: number; submessages: Submessage[] };
    expect(contents(submessages)).toEqual([zform]);
    expect(await submessagesOf(owner, id)).toEqual(submessages);
    for (const by of [owner, mia])
      expect(await changeWidget(by, id, vote('canned,0'))).toMatchObject(
        refused('You cannot attach a submessage to this message.'),
      );
    expect(await mia.patch(`/messages/${id}`, { content: 'x' })).toMatchObject(refused('Widgets cannot be edited.'));
    const as_of = `p${(await server.kernel.events.heads()).get(1 as RealmId) ?? 0}`;
    expect(await submessagesOf(owner, id, { as_of })).toEqual(submessages);
  });

  it('is erased with the message', async () => {
    const id = await quiz({ widget_content: { ...zform, extra_data: { ...extra_data, heading: 'mnemosyne' } } });
    const { pool } = server.kernel.database;
    expect(await copiesOf(pool, ['mnemosyne'])).toHaveLength(1);
    granted(await owner.delete(`/messages/${id}`));
    await server.settled();
    await new Eraser(server.kernel, 0).sweep();
    expect(await copiesOf(pool, ['mnemosyne'])).toEqual([]);
  });

  it.each<[unknown, string]>([
    ['no JSON', 'Widgets: API programmer sent invalid JSON content'],
    [[], 'Widgets: widget_content is not a dict'],
    [{}, 'Widgets: widget_type is not in widget_content'],
    [{ widget_type: 'zform' }, 'Widgets: extra_data is not in widget_content'],
    [{ ...zform, extra_data: 7 }, 'Widgets: extra_data is not a dict'],
    [{ ...zform, extra_data: {} }, 'Widgets: zform is missing type field'],
    [{ ...zform, extra_data: { type: 'tea' } }, 'Widgets: unknown zform type: tea'],
    [{ ...zform, widget_type: 'poll' }, 'Widgets: unknown widget type: poll'],
    [{ ...zform, widget_type: null }, 'Widgets: unknown widget type: null'],
    [{ ...zform, extra_data: { type: 'choices' } }, 'Widgets: heading key is missing from extra_data'],
    [{ ...zform, extra_data: { ...extra_data, choices: 1 } }, 'Widgets: extra_data["choices"] is not a list'],
    [
      { ...zform, extra_data: { ...extra_data, choices: [{ ...choice, reply: 1 }] } },
      'Widgets: extra_data["choices"][0]["reply"] is not a string',
    ],
    [
      { ...zform, extra_data: { ...extra_data, heading: 'x'.repeat(10_000) } },
      'Widgets: widget_content is too long (limit: 10000 characters)',
    ],
  ])('is refused: %j', async (widget_content, msg) => {
    expect(await send(mia, { to: open, content: 'a quiz', widget_content })).toMatchObject(refused(msg));
  });
});

describe('POST /submessage', () => {
  it('adds a submessage with the text of the client, in order', async () => {
    const id = await poll(owner);
    const raw = '{ "type": "new_option", "idx": 1, "option": "pie" }';
    expect(await submessagesOf(mia, id)).toHaveLength(1);
    const { body } = await changeWidget(mia, id, raw);
    expect(body).toEqual({ result: 'success', msg: '' });
    granted(await changeWidget(otto, id, vote('canned,0')));
    const [first, ...changes] = await submessagesOf(mia, id);
    expect(first?.id).toBe(id);
    expect(changes).toEqual([
      { id: expect.any(Number) as number, message_id: id, sender_id: mia.id, msg_type: 'widget', content: raw },
      { ...changes[1], sender_id: otto.id, content: JSON.stringify(vote('canned,0')) },
    ]);
    expect((changes[1]?.id ?? 0) - (changes[0]?.id ?? 0)).toBeGreaterThan(0);
    const page = { anchor: id, num_before: 1, num_after: 1 };
    const { messages } = granted(await mia.get<{ messages: { submessages: object[] }[] }>('/messages', page));
    expect(messages.at(-1)?.submessages).toEqual([first, ...changes]);
  });

  it('keeps all votes of the same moment', async () => {
    const id = await poll(owner);
    const voters = [owner, mia, otto];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => changeWidget(voters[n % 3] ?? owner, id, vote(`canned,${n % 2}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(await submessagesOf(mia, id)).toHaveLength(31);
  });

  it('is for everybody who can read the message', async () => {
    const hidden = await server.channel(owner, { name: 'hidden', invite_only: true, subscribers: [owner, mia] });
    const secret = await poll(owner, { to: hidden });
    const direct = await idOf(sendDirect(owner, [mia.id], { content: POLL }));
    const guest = await server.person({ role: 'guest' });
    const seen = await poll(owner);
    for (const id of [secret, direct]) {
      granted(await changeWidget(mia, id, vote('canned,0')));
      for (const by of [otto, guest]) {
        expect(await changeWidget(by, id, vote('canned,0'))).toMatchObject(refused('Invalid message(s)'));
      }
    }
    granted(await changeWidget(otto, seen, vote('canned,0')));
    expect(await changeWidget(guest, seen, vote('canned,0'))).toMatchObject(refused('Invalid message(s)'));
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }], principals: [guest.id] }));
    granted(await changeWidget(guest, seen, vote('canned,0')));
    granted(await owner.delete(`/streams/${hidden}`));
    expect(await changeWidget(mia, secret, vote('canned,0'))).toMatchObject(refused('Invalid message(s)'));
  });

  it('changes the question and the title for the author of the message only', async () => {
    const id = await poll(mia);
    const question = { type: 'question', question: 'Dinner?' };
    granted(await changeWidget(mia, id, question));
    const why = "You can't edit a question unless you are the author.";
    expect(await changeWidget(owner, id, question)).toMatchObject(refused(why));
  });

  it('is refused for other messages, and for malformed requests', async () => {
    const id = await poll(owner);
    const text = await idOf(send(owner, { to: open, content: 'what a /poll' }));
    const none = refused('You cannot attach a submessage to this message.');
    for (const by of [owner, mia]) expect(await changeWidget(by, text, vote('canned,0'))).toMatchObject(none);
    expect(await changeWidget(mia, 999_999, vote('canned,0'))).toMatchObject(refused('Invalid message(s)'));
    expect(await changeWidget(mia, id, 'no JSON')).toMatchObject(refused('Invalid json for submessage'));
    expect(await changeWidget(mia, id, { type: 'love' })).toMatchObject(refused('Unknown type for poll data: love'));
    for (const wrong of [
      { msg_type: 'other' },
      { message_id: 'x' },
      { message_id: undefined },
      { content: undefined },
    ]) {
      expect(await changeWidget(mia, id, vote('canned,0'), wrong)).toMatchObject({ status: 400 });
    }
    expect(await submessagesOf(mia, id)).toHaveLength(1);
  });
});

describe('the event submessage', () => {
  it('has the fields of the submessage', async () => {
    const id = await poll(owner);
    const received = await mia.receive(async () => {
      granted(await changeWidget(owner, id, vote('canned,0')));
      await changeWidget(mia, id, 'no JSON');
    }, 'submessage');
    const added = (await submessagesOf(mia, id))[1];
    if (!added) throw new Error('there is no second submessage');
    const { id: submessage_id, ...fields } = added;
    expect(received).toEqual([{ id: expect.any(Number) as number, type: 'submessage', submessage_id, ...fields }]);
  });

  it('is for users who have the message', async () => {
    const hidden = await server.channel(owner, { invite_only: true, subscribers: [owner, mia] });
    const id = await poll(owner, { to: hidden });
    const queues = [];
    for (const one of [owner, mia, otto]) queues.push(await one.register({ event_types: ['submessage'] }));
    granted(await changeWidget(mia, id, vote('canned,1')));
    const received = [];
    for (const [n, one] of [owner, mia, otto].entries()) received.push(await one.events(queues[n] as never));
    expect(received.map((events) => events.length)).toEqual([1, 1, 0]);
  });
});

describe('a widget whose message', () => {
  it('is deleted is gone, and is back with it', async () => {
    const id = await poll(owner);
    granted(await changeWidget(mia, id, vote('canned,1')));
    const before = await submessagesOf(mia, id);
    granted(await owner.delete(`/messages/${id}`));
    expect(await changeWidget(mia, id, vote('canned,0'))).toMatchObject(refused('Invalid message(s)'));
    const deletion = await newest(owner, 'messages.MessagesDeleted');
    const received = await mia.receive(() => undone(owner, deletion), 'message');
    expect(received).toMatchObject([{ message: { id, submessages: before } }]);
    expect(await submessagesOf(mia, id)).toEqual(before);
    granted(await changeWidget(otto, id, vote('canned,0')));
    expect(await submessagesOf(mia, id)).toHaveLength(3);
  });

  it('is read as of a moment is as it was then', async () => {
    const id = await poll(owner);
    granted(await changeWidget(mia, id, vote('canned,1')));
    const before = await submessagesOf(mia, id);
    const as_of = `p${(await server.kernel.events.heads()).get(1 as RealmId) ?? 0}`;
    granted(await changeWidget(mia, id, vote('canned,1', -1)));
    expect(await submessagesOf(mia, id, { as_of })).toEqual(before);
    expect(await submessagesOf(mia, id)).toHaveLength(3);
  });

  it('is erased leaves none of its words', async () => {
    const id = await poll(owner, { content: '/poll Forgettable question?\nforgettable answer' });
    granted(await changeWidget(mia, id, { type: 'new_option', idx: 1, option: 'unforgotten so far' }));
    granted(await changeWidget(otto, id, vote(`${mia.id},1`)));
    const words = ['orgett', 'unforgotten'];
    const { pool } = server.kernel.database;
    expect((await copiesOf(pool, words)).map(([, tables]) => tables)).toEqual([
      expect.arrayContaining(['events']),
      ['events'],
    ]);
    const stream = async () => server.kernel.events.stream(1 as RealmId, `widget-${id}`);
    granted(await owner.delete(`/messages/${id}`));
    expect(await stream()).toMatchObject([{ sealed: { content: expect.any(String) as string } }, {}]);
    await server.settled();
    await new Eraser(server.kernel, 0).sweep();
    expect(await stream()).toMatchObject([{ sealed: 'erased' }, { sealed: 'erased' }]);
    expect(await server.kernel.events.stream(1 as RealmId, `message-${id}`)).toMatchObject([{ sealed: 'erased' }]);
    await server.settled();
    await pool.query('ANALYZE');
    expect(await new StorageCleanup(server.kernel).run()).toMatchObject({ left: null });
    expect(await copiesOf(pool, words)).toEqual([]);
    for (const word of words) expect(await tracesOf(pool, word)).toEqual([]);
  });
});

it('a change of a widget is participation in its topic', async () => {
  granted(await mia.patch('/settings', { automatically_follow_topics_policy: 1 }));
  const id = await poll(owner, { topic: 'participation' });
  const received = await mia.receive(() => changeWidget(mia, id, vote('canned,0')), 'user_topic');
  expect(received).toMatchObject([{ topic_name: 'participation', visibility_policy: 3 }]);
});

it('the trail shows words of changes to who may read them', async () => {
  const id = await poll(owner);
  granted(await changeWidget(mia, id, { type: 'new_option', idx: 1, option: 'a pie' }));
  const position = await newest(owner, 'messages.PollOptionAdded');
  const { events } = granted(
    await mia.get<{ events: { position: number; sentence: string }[] }>('/audit/me', { limit: 5 }),
  );
  expect(events.find((event) => event.position === position)?.sentence).toContain('added “a pie” to the poll of');
});
