import { Eraser } from '@annals/kernel';
import type { TrailEntry } from '../../../libs/audit/src/read/trail/trail-entry';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

interface Life {
  readonly subject: string;
  readonly state: string;
  readonly events: readonly TrailEntry[];
  readonly next_cursor: string | null;
}

let users: ServerWithUsers;
beforeAll(async () => void (users = await startWithUsers()));
afterAll(() => users.server.close());

const life = async (thing: string, params: Params = {}) =>
  granted(await users.owner.get<Life>(`/audit/${thing}`, params));
const typesOf = ({ events }: Life) => events.map(({ type }) => type.replace(/^\w+\./, ''));
const send = async (by: Person, topic: string, content = 'x') =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: 'general', topic, content })).id;
const topicOf = ({ events }: Life) => events[0]?.subjects.find(({ kind }) => kind === 'topic')?.id ?? 0;

describe('the life of a message', () => {
  it('has its edits, moves, moves of its topic, reactions and deletion, oldest first', async () => {
    const { owner, member, other } = users;
    const id = await send(member, 'first', 'one');
    await send(other, 'first');
    await send(other, 'first');
    granted(await member.patch(`/messages/${id}`, { content: 'two' }));
    granted(await owner.patch(`/messages/${id}`, { topic: 'renamed', propagate_mode: 'change_all' }));
    granted(await other.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    granted(await owner.patch(`/messages/${id}`, { topic: 'apart', propagate_mode: 'change_one' }));
    const neighbour = await send(other, 'renamed');
    granted(await owner.patch(`/messages/${neighbour}`, { topic: 'later', propagate_mode: 'change_all' }));
    const shown = await life(`messages/${id}`);
    expect(shown).toMatchObject({ subject: `message:${id}`, state: 'exists', next_cursor: null });
    expect(typesOf(shown)).toEqual(['MessageSent', 'ContentEdited', 'TopicMoved', 'ReactionAdded', 'MessagesMoved']);
    granted(await owner.delete(`/messages/${id}`));
    const deleted = await life(`messages/${id}`);
    expect(typesOf(deleted).at(-1)).toBe('MessagesDeleted');
    expect(deleted.state).toBe('deleted');
  });

  it('ends with the erasure of its text', async () => {
    const { owner, member, server } = users;
    const id = await send(member, 'erased', 'to be forgotten');
    granted(await owner.delete(`/messages/${id}`));
    await server.settled();
    await new Eraser(server.kernel, 0).sweep();
    const erased = await life(`messages/${id}`);
    expect(erased.state).toBe('erased');
    expect(typesOf(erased)).toEqual(['MessageSent', 'MessagesDeleted', 'Erased']);
    expect(erased.events[0]).toMatchObject({ words: null, words_state: 'erased' });
  });

  it('is read page by page', async () => {
    const { owner } = users;
    const id = await send(owner, 'pages');
    for (const content of ['a', 'b', 'c', 'd']) granted(await owner.patch(`/messages/${id}`, { content }));
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Life = await life(`messages/${id}`, { limit: 2, cursor });
      expect(page.events.length).toBeLessThanOrEqual(2);
      found.push(...typesOf(page));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(['MessageSent', ...Array.from({ length: 4 }, () => 'ContentEdited')]);
  });
});

describe('the life', () => {
  it('of a topic has its beginning, its messages and its end', async () => {
    const { owner } = users;
    const id = await send(owner, 'short');
    const topic = topicOf(await life(`messages/${id}`));
    expect(await life(`topics/${topic}`)).toMatchObject({ subject: `topic:${topic}`, state: 'exists' });
    granted(await owner.delete(`/messages/${id}`));
    const ended = await life(`topics/${topic}`);
    expect(ended.state).toBe('deleted');
    expect(typesOf(ended)).toEqual(expect.arrayContaining(['TopicStarted', 'MessageSent', 'TopicEnded']));
  });

  it('of a channel, an account and a group has what happened to them', async () => {
    const { owner, member } = users;
    const { id } = granted(
      await owner.post<{ id: number }>('/channels/create', { name: 'new', subscribers: [owner.id] }),
    );
    granted(await owner.patch(`/streams/${id}`, { new_name: 'newer' }));
    expect(typesOf(await life(`channels/${id}`))).toEqual(
      expect.arrayContaining(['ChannelCreated', 'Subscribed', 'ChannelRenamed']),
    );
    expect((await life(`users/${member.id}`)).events[0]).toMatchObject({ type: 'users.AccountCreated' });
    const group = granted(
      await owner.post<{ group_id: number }>('/user_groups/create', {
        name: 'g',
        description: '',
        members: [owner.id],
      }),
    ).group_id;
    granted(await owner.post(`/user_groups/${group}/deactivate`));
    const ofGroup = await life(`groups/${group}`);
    expect(ofGroup.state).toBe('exists');
    expect(typesOf(ofGroup)).toEqual(expect.arrayContaining(['GroupCreated', 'GroupDeactivated']));
  });

  it.each(['messages', 'topics', 'channels', 'users', 'groups'])(
    'of %s that never existed is refused',
    async (kind) => {
      const { status, body } = await users.owner.get(`/audit/${kind}/999999`);
      expect({ status, code: body.code, msg: body.msg }).toEqual({
        status: 400,
        code: 'BAD_REQUEST',
        msg: `No such ${kind.slice(0, -1)}: 999999`,
      });
    },
  );

  it('of an event that is no message is refused', async () => {
    expect(await users.owner.get('/audit/messages/1')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  it('is for auditors, and each read is in the log', async () => {
    const { owner, member } = users;
    expect(await member.get(`/audit/users/${member.id}`)).toMatchObject({
      status: 403,
      body: { code: 'UNAUTHORIZED_AUDIT' },
    });
    await life(`groups/${users.groups['owners'] ?? 0}`);
    const { events } = granted(
      await owner.get<{ events: TrailEntry[] }>('/audit/events', { types: ['audit.Viewed'], limit: 1 }),
    );
    expect(events[0]).toMatchObject({
      actor: { user_id: owner.id },
      data: {
        endpoint: 'GET /audit/groups/{group_id}',
        parameters: { group_id: users.groups['owners'] },
        words: false,
      },
    });
  });
});
