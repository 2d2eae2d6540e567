import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { addReaction, removeReaction, shownMessage } from '../../support/requests/reactions';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

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

const refused = (code: string, msg?: string) => ({ status: 400, body: { result: 'error', code, ...(msg && { msg }) } });
const post = async (by: Person, params: Params = {}) =>
  granted(
    await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic: 'x', content: 'so', ...params }),
  ).id;

describe('the narrow has:reaction', () => {
  it('finds messages with reactions', async () => {
    const channel = await server.channel(owner, { subscribers: [owner] });
    const [bare, loved, forgotten] = [
      await post(owner, { to: channel }),
      await post(owner, { to: channel }),
      await post(owner, { to: channel, content: 'https://example.com' }),
    ];
    for (const id of [loved, forgotten]) granted(await addReaction(owner, id, { emoji_name: 'heart' }));
    granted(await removeReaction(owner, forgotten, { emoji_name: 'heart' }));
    const found = async (...terms: object[]) => {
      const asked = { narrow: [['channel', channel], ...terms], anchor: 'newest', num_before: 10 };
      const { messages } = granted(await owner.get<{ messages: { id: number }[] }>('/messages', asked));
      return messages.map(({ id }) => id);
    };
    expect(await found({ operator: 'has', operand: 'reaction' })).toEqual([loved]);
    expect(await found({ operator: 'has', operand: 'reaction', negated: true })).toEqual([bare, forgotten]);
    expect(await found({ operator: 'has', operand: 'link' })).toEqual([forgotten]);
    expect(await found({ operator: 'has', operand: 'image' })).toEqual([]);
    const wrong = { narrow: [['has', 'love']], anchor: 'newest', num_before: 1 };
    expect(await owner.get('/messages', wrong)).toMatchObject(refused('BAD_NARROW'));
  });
});

describe('participants of a topic', () => {
  it('include users who reacted', async () => {
    const channel = await server.channel(owner, { subscribers: [owner, mia, otto] });
    const to = { to: channel, topic: 'lunch' };
    const first = await post(owner, to);
    granted(await addReaction(mia, first, { emoji_name: 'tada' }));
    granted(await addReaction(otto, first, { emoji_name: 'tada' }));
    granted(await removeReaction(otto, first, { emoji_name: 'tada' }));
    const [received] = await mia.receive(() => post(owner, { ...to, content: '@**topic**' }), 'message');
    expect(received?.['flags']).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned']);
    const id = (received?.['message'] as { id: number }).id;
    granted(await removeReaction(mia, first, { emoji_name: 'tada' }));
    expect((await shownMessage(mia, id)).flags).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned']);
    expect((await shownMessage(otto, id)).flags).toEqual([]);
  });

  it('count for the permission of a topic wildcard', async () => {
    const people = [];
    for (let n = 0; n < 15; n += 1) people.push(await server.person());
    const channel = await server.channel(owner, { subscribers: [owner, ...people] });
    const to = { to: channel, topic: 'lunch' };
    const first = await post(owner, to);
    for (const one of people.slice(2)) granted(await addReaction(one, first, { emoji_name: 'tada' }));
    const [author, last] = [people[0] ?? mia, people[2] ?? mia];
    const call = () => author.post('/messages', { type: 'channel', ...to, content: '@**topic**' });
    granted(await call());
    granted(await addReaction(mia, first, { emoji_name: 'tada' }));
    expect(await call()).toMatchObject(refused('TOPIC_WILDCARD_MENTION_NOT_ALLOWED'));
    granted(await removeReaction(last, first, { emoji_name: 'tada' }));
    granted(await call());
  });
});
