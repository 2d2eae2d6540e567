import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let loud: number;
let quiet: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person();
  loud = await server.channel(owner, { name: 'loud', subscribers: [owner, ann] });
  quiet = await server.channel(owner, { name: 'quiet', subscribers: [owner, ann] });
  granted(await ann.patch(`/users/me/subscriptions/${quiet}`, { property: 'is_muted', value: true }));
  for (const [channel, topic, policy] of [
    [loud, 'Noise', 1],
    [loud, 'Unmuted', 2],
    [loud, 'Followed', 3],
    [quiet, 'Noise', 1],
    [quiet, 'Unmuted', 2],
    [quiet, 'Followed', 3],
  ] as const) {
    granted(await ann.post('/user_topics', { stream_id: channel, topic, visibility_policy: policy }));
  }
});
afterAll(() => server.close());

const TOPICS = ['plain', 'noise', 'unmuted', 'followed'];
const words = new Map<number, string>();
const say = async (to: number, topic: string, content: string) => {
  const { id } = granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to, topic, content }));
  words.set(id, `${to === loud ? 'loud' : 'quiet'} ${topic}`);
  return id;
};
interface Unread {
  readonly count: number;
  readonly mentions: readonly number[];
  readonly streams: readonly { readonly unread_message_ids: readonly number[] }[];
}

describe('a muted channel or topic', () => {
  it('has no unread count, nor unread wildcard mentions', async () => {
    const sent = [];
    for (const channel of [loud, quiet]) {
      for (const topic of TOPICS) sent.push(await say(channel, topic, '@**all**'));
    }
    const state = await ann.register({ fetch_event_types: ['message', 'update_message_flags'] });
    const unread = state['unread_msgs'] as Unread;
    expect(unread.mentions.map((id) => words.get(id))).toEqual([
      'loud plain',
      'loud unmuted',
      'loud followed',
      'quiet unmuted',
      'quiet followed',
    ]);
    expect(unread.count).toBe(5);
    expect(unread.streams.flatMap(({ unread_message_ids: ids }) => ids).sort((a, b) => a - b)).toEqual(sent);
  });

  it('counts direct mentions as unread', async () => {
    const id = await say(loud, 'noise', `@**|${ann.id}**`);
    const state = await ann.register({ fetch_event_types: ['message', 'update_message_flags'] });
    expect((state['unread_msgs'] as Unread).mentions).toContain(id);
    expect((state['unread_msgs'] as Unread).count).toBe(5);
  });

  const found = async (...narrow: object[]) => {
    const asked = { narrow, anchor: 'newest', num_before: 100 };
    const { messages } = granted(await ann.get<{ messages: { id: number }[] }>('/messages', asked));
    return [...new Set(messages.map(({ id }) => words.get(id)))].filter((word) => word !== undefined);
  };
  const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated });

  it('is included and excluded by narrows', async () => {
    const muted = ['loud noise', 'quiet plain', 'quiet noise'];
    const shown = ['loud plain', 'loud unmuted', 'loud followed', 'quiet unmuted', 'quiet followed'];
    expect(await found(term('is', 'muted'))).toEqual(muted);
    expect(await found(term('in', 'home', true))).toEqual(muted);
    expect(await found(term('in', 'home'))).toEqual(shown);
    expect(await found(term('is', 'muted', true))).toEqual(shown);
    expect(await found(term('in', 'all'))).toHaveLength(8);
    expect(await found(term('is', 'followed'))).toEqual(['loud followed', 'quiet followed']);
    expect(await found(term('is', 'followed', true))).toHaveLength(6);
  });

  it('limits the filter to muted topics in a channel narrow', async () => {
    const inQuiet = (...more: object[]) => found(term('channel', quiet), ...more);
    expect(await inQuiet(term('in', 'home'))).toEqual(['quiet plain', 'quiet unmuted', 'quiet followed']);
    expect(await inQuiet(term('is', 'muted'))).toEqual(['quiet plain', 'quiet noise']);
    expect(await inQuiet(term('is', 'followed'))).toEqual(['quiet followed']);
  });

  it('excludes direct messages', async () => {
    const { id } = granted(
      await owner.post<{ id: number }>('/messages', { type: 'direct', to: [ann.id], content: 'psst' }),
    );
    words.set(id, 'direct');
    expect(await found(term('in', 'home'))).toContain('direct');
    expect(await found(term('is', 'followed'))).not.toContain('direct');
    expect(await found(term('is', 'muted'))).not.toContain('direct');
  });

  it.each([
    ['is', 'loud'],
    ['in', 'nowhere'],
    ['in', 1],
  ])('cannot be narrowed to with %s:%s', async (operator, operand) => {
    const asked = { narrow: [{ operator, operand }], anchor: 'newest', num_before: 1 };
    expect(await ann.get('/messages', asked)).toMatchObject({ status: 400, body: { code: 'BAD_NARROW' } });
  });
});
