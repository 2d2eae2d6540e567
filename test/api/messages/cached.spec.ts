import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

interface Shown {
  readonly id: number;
  readonly content: string;
  readonly subject: string;
  readonly display_recipient: string;
  readonly sender_full_name: string;
  readonly reactions: readonly { emoji_name: string }[];
  readonly flags: readonly string[];
}

let server: TestServer;
let owner: Person;
let mia: Person;
let [open, other, secret]: number[] = [];
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  mia = await server.person({ name: 'Mia' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, mia] });
  other = await server.channel(owner, { name: 'other', subscribers: [owner, mia] });
  secret = await server.channel(owner, { name: 'secret', subscribers: [owner], invite_only: true });
});
afterAll(() => server.close());

const post = async (by: Person, topic: string, params: Params = {}) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic, content: 'so', ...params }))
    .id;

/** The message in a page, as a user sees it; undefined where the page does not have it. */
const inPage = async (by: Person, id: number, params: Params = {}) => {
  const page = { anchor: id, num_before: 5, num_after: 5, ...params };
  const { messages } = granted(await by.get<{ messages: Shown[] }>('/messages', page));
  return messages.find((message) => message.id === id);
};

/** Reads the message, so that it is cached, does something, and reads it again. */
const after = async (id: number, act: () => Promise<unknown>, by = mia) => {
  expect(await inPage(by, id)).toBeDefined();
  await act();
  return inPage(by, id);
};

describe('a message that was read before', () => {
  it('has the new text after an edit, in both forms', async () => {
    const id = await post(owner, 'edits');
    expect(await inPage(mia, id, { apply_markdown: false })).toMatchObject({ content: 'so' });
    const edited = await after(id, () => owner.patch(`/messages/${id}`, { content: '*new*' }));
    expect(edited).toMatchObject({ content: '<p><em>new</em></p>', last_edit_timestamp: expect.any(Number) as number });
    expect(await inPage(mia, id, { apply_markdown: false })).toMatchObject({ content: '*new*' });
  });

  it('has reactions that were added, and not those that were removed', async () => {
    const id = await post(owner, 'reactions');
    const emoji = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
    const added = await after(id, () => owner.post(`/messages/${id}/reactions`, emoji));
    expect(added?.reactions).toMatchObject([{ emoji_name: 'tada' }]);
    const removed = await after(id, () => owner.delete(`/messages/${id}/reactions`, emoji));
    expect(removed?.reactions).toEqual([]);
  });

  it('has the new name of its topic, and of its channel', async () => {
    const id = await post(owner, 'old name');
    const renamed = await after(id, () =>
      owner.patch(`/messages/${id}`, { topic: 'new name', propagate_mode: 'change_all' }),
    );
    expect(renamed).toMatchObject({ subject: 'new name', display_recipient: 'open' });
    const channel = await after(id, () => owner.patch(`/streams/${open}`, { new_name: 'opened' }));
    expect(channel).toMatchObject({ display_recipient: 'opened' });
    await owner.patch(`/streams/${open}`, { new_name: 'open' });
  });

  it('is in the channel that its topic was moved to, and in the topic that it was moved to alone', async () => {
    const [first, second] = [await post(owner, 'moves'), await post(owner, 'moves')];
    expect(await inPage(mia, second)).toMatchObject({ display_recipient: 'open' });
    const there = { stream_id: other, propagate_mode: 'change_all' };
    expect(await after(first, () => owner.patch(`/messages/${first}`, there))).toMatchObject({
      display_recipient: 'other',
    });
    expect(await inPage(mia, second)).toMatchObject({ display_recipient: 'other' });
    const alone = { topic: 'alone', propagate_mode: 'change_one' };
    expect(await after(first, () => owner.patch(`/messages/${first}`, alone))).toMatchObject({ subject: 'alone' });
    expect(await inPage(mia, second)).toMatchObject({ subject: 'moves' });
  });

  it('disappears for users who cannot see its new place, and after it was deleted', async () => {
    const moved = await post(owner, 'leaving');
    const away = { stream_id: secret, propagate_mode: 'change_all' };
    expect(await after(moved, () => owner.patch(`/messages/${moved}`, away))).toBeUndefined();
    expect(await inPage(owner, moved)).toMatchObject({ display_recipient: 'secret' });
    const deleted = await post(owner, 'deleted');
    expect(await after(deleted, () => owner.delete(`/messages/${deleted}`))).toBeUndefined();
  });

  it('disappears when its reader leaves a private channel, and is there again after a return', async () => {
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [mia.id] });
    const id = await post(owner, 'private', { to: secret });
    const left = await after(id, () => mia.delete('/users/me/subscriptions', { subscriptions: ['secret'] }));
    expect(left).toBeUndefined();
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [mia.id] });
    expect(await inPage(mia, id)).toMatchObject({ flags: ['read'] });
  });

  it('has the new name of its sender, and other addresses for other readers', async () => {
    const id = await post(mia, 'names');
    const renamed = await after(id, () => mia.patch('/settings', { full_name: 'Mia Two' }), owner);
    expect(renamed).toMatchObject({ sender_full_name: 'Mia Two' });
    expect((await inPage(owner, id, { client_gravatar: false }))?.sender_full_name).toBe('Mia Two');
  });

  it('has the flags of each reader', async () => {
    const id = await post(owner, 'flags', { read_by_sender: true, content: `@**all** hello` });
    expect((await inPage(owner, id))?.flags).toContain('read');
    expect((await inPage(mia, id))?.flags).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned']);
  });

  it('is found by an id for which there was no message before', async () => {
    const next = (await post(owner, 'ids')) + 1;
    expect((await mia.get(`/messages/${next}`)).status).toBe(400);
    const id = await post(owner, 'ids');
    expect(id).toBe(next);
    expect(granted(await mia.get<{ message: Shown }>(`/messages/${id}`)).message.id).toBe(id);
  });
});
