import type { Params } from '../support/caller';
import { granted } from '../support/caller';
import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let open: number;
beforeAll(async () => {
  server = await startServer();
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

  it('shows the latest texts of one that was very long very often, beside how it was sent', async () => {
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

  it('shows each text with what it replaced, oldest first', async () => {
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

  it('names the empty topic for clients that do not know it', async () => {
    const id = await post(member, { topic: '' });
    const topicOf = async (params: Params) => (await history(other, id, params)).body.message_history[0]?.['topic'];
    expect(await topicOf({})).toBe('general chat');
    expect(await topicOf({ allow_empty_topic_name: true })).toBe('');
  });

  it('leaves out texts where the organization shows moves only', async () => {
    const id = await post(member);
    await edit(member, id, { content: 'second' });
    granted(await owner.patch('/realm', { message_edit_history_visibility_policy: 'moves' }));
    expect((await history(other, id)).body.message_history).toMatchObject([{ content: 'first' }]);
  });

  it('is refused where the organization hides what was changed', async () => {
    const id = await post(member);
    granted(await owner.patch('/realm', { message_edit_history_visibility_policy: 'none' }));
    expect(await history(member, id)).toMatchObject(refused('BAD_REQUEST'));
  });

  it('is refused for a message one may not see, as for one that does not exist', async () => {
    const secret = await server.channel(member, { name: 'secret', invite_only: true, subscribers: [member] });
    const id = await post(member, { to: secret });
    const unseen = await history(other, id);
    expect(unseen).toMatchObject(refused('BAD_REQUEST'));
    expect((await history(other, 999_999)).body).toEqual(unseen.body);
    expect(await history(other, 0)).toMatchObject(refused('BAD_REQUEST'));
  });
});
