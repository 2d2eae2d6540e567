import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let open: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  other = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, member, other] });
});
afterEach(async () => {
  granted(await owner.patch('/realm', { message_edit_history_visibility_policy: 'all' }));
});
afterAll(() => server.close());

const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const seconds = () => Math.floor(server.clock.now() / 1000);
const post = async (by: Person, params: Params = {}) =>
  granted(
    await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic: 'x', content: 'first', ...params }),
  ).id;
const edit = async (by: Person, id: number, params: Params) => {
  server.clock.advance(10_000);
  granted(await by.patch(`/messages/${id}`, params));
};
type History = { message_history: Record<string, unknown>[] };
const history = (by: Person, id: number, params: Params = {}) => by.get<History>(`/messages/${id}/history`, params);

describe('GET /messages/{message_id}/history', () => {
  it('shows a message that never changed as it was sent', async () => {
    const id = await post(member);
    const { body } = await history(other, id);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      message_history: [
        { topic: 'x', content: 'first', rendered_content: '<p>first</p>', timestamp: seconds(), user_id: member.id },
      ],
    });
  });

  it('is limited to the original and the latest texts of very long messages', async () => {
    const text = (n: number) => `${n} ${'word '.repeat(1_990)}`.trim();
    const id = await post(member, { content: text(0) });
    await edit(member, id, { topic: 'y' });
    for (let n = 1; n <= 33; n++) await edit(member, id, { content: text(n) });
    const { message_history } = granted(await history(other, id));
    const [sent, ...changes] = message_history;
    expect(sent).toMatchObject({ topic: 'x', content: text(0), user_id: member.id });
    expect(changes.map(({ content }) => content)).toEqual(Array.from({ length: 30 }, (_, n) => text(n + 4)));
    expect(changes[0]).toMatchObject({ topic: 'y', prev_content: text(3) });
    const { message } = granted(await other.get<{ message: { edit_history: object[] } }>(`/messages/${id}`));
    expect(message.edit_history).toHaveLength(30);
    expect(message.edit_history[29]).toMatchObject({ prev_content: text(3) });
  });

  it('shows each text with the former one, oldest first', async () => {
    const id = await post(member);
    const sentAt = seconds();
    await edit(member, id, { content: 'first **word**' });
    expect((await history(other, id)).body.message_history).toEqual([
      { topic: 'x', content: 'first', rendered_content: '<p>first</p>', timestamp: sentAt, user_id: member.id },
      {
        topic: 'x',
        content: 'first **word**',
        rendered_content: '<p>first <strong>word</strong></p>',
        prev_content: 'first',
        prev_rendered_content: '<p>first</p>',
        content_html_diff: '<p>first <strong><span class="highlight_text_inserted">word</span></strong></p>',
        timestamp: seconds(),
        user_id: member.id,
      },
    ]);
  });

  it('shows direct messages without a topic', async () => {
    const id = granted(
      await member.post<{ id: number }>('/messages', { type: 'direct', to: [other.id], content: 'psst' }),
    ).id;
    expect((await history(other, id, { allow_empty_topic_name: false })).body.message_history).toMatchObject([
      { topic: '', content: 'psst' },
    ]);
  });

  it('names the empty topic for clients without support', async () => {
    const id = await post(member, { topic: '' });
    const topicOf = async (params: Params) => (await history(other, id, params)).body.message_history[0]?.['topic'];
    expect(await topicOf({})).toBe('general chat');
    expect(await topicOf({ allow_empty_topic_name: true })).toBe('');
  });

  it('omits texts where the organization shows moves only', async () => {
    const id = await post(member);
    await edit(member, id, { content: 'second' });
    granted(await owner.patch('/realm', { message_edit_history_visibility_policy: 'moves' }));
    expect((await history(other, id)).body.message_history).toMatchObject([{ content: 'first' }]);
  });

  it('is refused where the organization hides edit history', async () => {
    const id = await post(member);
    granted(await owner.patch('/realm', { message_edit_history_visibility_policy: 'none' }));
    expect(await history(member, id)).toMatchObject(refused('BAD_REQUEST'));
  });

  it('is refused for an inaccessible message as for an unknown one', async () => {
    const secret = await server.channel(member, { name: 'secret', invite_only: true, subscribers: [member] });
    const id = await post(member, { to: secret });
    const unseen = await history(other, id);
    expect(unseen).toMatchObject(refused('BAD_REQUEST'));
    expect((await history(other, 999_999)).body).toEqual(unseen.body);
    expect(await history(other, 0)).toMatchObject(refused('BAD_REQUEST'));
  });
});

describe('the past of a message that moved to a channel', () => {
  const quietly = { send_notification_to_new_thread: false, propagate_mode: 'change_all' };
  const move = (id: number, params: Params) => edit(owner, id, { ...quietly, ...params });
  const named = ({ topic, content, prev_topic, prev_content, stream, prev_stream }: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries({ topic, content, prev_topic, prev_content, stream, prev_stream }).filter(([, one]) => one),
    );
  const historyOf = async (who: Person, id: number) =>
    granted(await history(who, id)).message_history.map((entry) => named(entry));
  const entriesOf = async (who: Person, id: number) => {
    const { message } = granted(
      await who.get<{ message: { edit_history?: Record<string, unknown>[] } }>(`/messages/${id}`),
    );
    const page = { message_ids: [id] };
    const { messages } = granted(
      await who.get<{ messages: { edit_history?: Record<string, unknown>[] }[] }>('/messages', page),
    );
    expect(messages[0]?.edit_history).toEqual(message.edit_history);
    return message.edit_history?.map((entry) => named(entry));
  };
  /** Written, corrected and renamed in a channel, opened, then corrected and renamed there. */
  const opened = async (from: number) => {
    const id = await post(member, { to: from, topic: 'takeover', content: 'fire Otto' });
    await edit(member, id, { content: 'praise Otto' });
    await move(id, { topic: 'praise' });
    await move(id, { stream_id: open, topic: 'news' });
    await edit(member, id, { content: 'praise them' });
    await move(id, { topic: 'good news' });
    return id;
  };
  const since = [
    { topic: 'news', content: 'praise Otto' },
    { topic: 'news', content: 'praise them', prev_content: 'praise Otto' },
    { topic: 'good news', content: 'praise them', prev_topic: 'news' },
  ];
  const before = (from: number) => [
    { topic: 'takeover', content: 'fire Otto' },
    { topic: 'takeover', content: 'praise Otto', prev_content: 'fire Otto' },
    { topic: 'praise', content: 'praise Otto', prev_topic: 'takeover' },
    { topic: 'news', content: 'praise Otto', prev_topic: 'praise', stream: open, prev_stream: from },
  ];

  it('starts when it left a private channel, for users who were never subscribed there', async () => {
    const from = await server.channel(owner, { invite_only: true, subscribers: [owner, member] });
    const id = await opened(from);
    expect(await historyOf(other, id)).toEqual(since);
    expect(await entriesOf(other, id)).toEqual([
      { prev_topic: 'news', topic: 'good news' },
      { prev_content: 'praise Otto' },
    ]);
    const first = (await history(other, id)).body.message_history[0];
    expect(first).toMatchObject({ user_id: member.id, rendered_content: '<p>praise Otto</p>' });
  });

  it('is complete for subscribers of that time, subscribed now or not, and for its author', async () => {
    const { id: from, name } = await server.namedChannel(owner, {
      invite_only: true,
      subscribers: [owner, member, other],
    });
    const id = await opened(from);
    const late = await server.person();
    granted(await other.delete('/users/me/subscriptions', { subscriptions: [name] }));
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [late.id] }));
    for (const who of [owner, member, other]) {
      expect(await historyOf(who, id)).toEqual([...before(from), ...since.slice(1)]);
      expect(await entriesOf(who, id)).toHaveLength(5);
    }
    expect(await historyOf(late, id)).toEqual(since);
  });

  it('is complete where it was in public channels only, except for guests', async () => {
    const guest = await server.person({ role: 'guest' });
    const { name } = granted(await owner.get<{ stream: { name: string } }>(`/streams/${open}`)).stream;
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [guest.id] }));
    const from = await server.channel(owner, { subscribers: [owner, member] });
    const id = await opened(from);
    expect(await historyOf(other, id)).toEqual([...before(from), ...since.slice(1)]);
    expect(await historyOf(guest, id)).toEqual(since);
  });

  it('shows what users received in a channel with protected history', async () => {
    const protects = { invite_only: true, history_public_to_subscribers: false };
    const { id: from, name } = await server.namedChannel(owner, { ...protects, subscribers: [owner, member] });
    const id = await post(member, { to: from, topic: 'takeover', content: 'fire Otto' });
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [other.id] }));
    await edit(member, id, { content: 'praise Otto' });
    await move(id, { stream_id: open, topic: 'news' });
    expect(await historyOf(other, id)).toEqual([{ topic: 'news', content: 'praise Otto' }]);
    expect(await entriesOf(other, id)).toBeUndefined();
    expect(await historyOf(owner, id)).toHaveLength(3);
  });

  it('omits a time in a private channel in between', async () => {
    const between = await server.channel(owner, { invite_only: true, subscribers: [owner, member] });
    const id = await post(member, { topic: 'news', content: 'one' });
    await edit(member, id, { content: 'two' });
    await move(id, { stream_id: between, topic: 'takeover' });
    await edit(member, id, { content: 'fire Otto' });
    await edit(member, id, { content: 'three' });
    await move(id, { stream_id: open, topic: 'back' });
    await edit(member, id, { content: 'four' });
    expect(await historyOf(other, id)).toEqual([
      { topic: 'news', content: 'one' },
      { topic: 'news', content: 'two', prev_content: 'one' },
      { topic: 'back', content: 'four', prev_content: 'three' },
    ]);
    expect(await entriesOf(other, id)).toEqual([{ prev_content: 'three' }, { prev_content: 'one' }]);
    expect(await historyOf(owner, id)).toHaveLength(7);
  });
});
