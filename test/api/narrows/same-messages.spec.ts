import fc from 'fast-check';
import { MessageFixture, term } from '../../support/requests/message-fixture';
import { granted } from '../../support/server/caller';
import type { Answer } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';

/** Names stand for the ids of users, channels and messages. */
const USERS = ['owner', 'member', 'other'] as const;
const CHANNELS = ['open', 'far', 'kept', 'shared'] as const;
const MESSAGES = ['open1', 'far1', 'dm1', 'kept1', 'shared1', 'group1', 'open3'] as const;

const is = ['dm', 'followed', 'muted', 'resolved', 'mentioned', 'unread', 'starred', 'alerted'] as const;
const operand = {
  channel: fc.constantFrom(...CHANNELS),
  channels: fc.constantFrom('public', 'web-public', 'archived'),
  topic: fc.constantFrom('lunch', 'work', 'plans', '', 'nowhere'),
  dm: fc.uniqueArray(fc.constantFrom(...USERS), { minLength: 1, maxLength: 2 }),
  'dm-including': fc.constantFrom(...USERS),
  'group-pm-with': fc.constantFrom(...USERS),
  sender: fc.constantFrom(...USERS),
  mentions: fc.constantFrom(...USERS),
  is: fc.constantFrom(...is),
  in: fc.constantFrom('home', 'all'),
  has: fc.constantFrom('link', 'image', 'attachment', 'reaction'),
  id: fc.constantFrom(...MESSAGES),
  near: fc.constantFrom(...MESSAGES),
  with: fc.constantFrom(...MESSAGES),
  search: fc.constantFrom('open1', 'lunch', 'lunches', '"open3"', 'the'),
} as const;

const oneTerm = fc.oneof(
  ...Object.entries(operand).map(([operator, named]) =>
    fc.record({ operator: fc.constant(operator), named: named as fc.Arbitrary<unknown>, negated: fc.boolean() }),
  ),
);
const terms = fc.array(oneTerm, { minLength: 1, maxLength: 3 });

/** More than the log has: each message is among them. */
const POSITIONS = Array.from({ length: 500 }, (_, n) => n + 1);

interface Found {
  readonly messages: readonly { readonly id: number }[];
}

describe('a narrow', () => {
  let begun: MessageFixture;
  beforeAll(async () => {
    begun = await MessageFixture.create();
    const { sent, channels, users } = begun;
    const { owner, member, server } = users;
    granted(await member.post('/users/me/alert_words', { alert_words: ['link'] }));
    await begun.post('link and @**Mia** https://example.com', owner, 'open', 'work');
    granted(await member.post(`/messages/${sent['open2']}/reactions`, { emoji_name: 'tada' }));
    granted(
      await member.post('/messages/flags', { messages: [sent['open1'], sent['dm1']], op: 'add', flag: 'starred' }),
    );
    granted(await member.post('/messages/flags', { messages: [sent['shared1']], op: 'add', flag: 'read' }));
    granted(await member.post('/user_topics', { stream_id: channels['open'], topic: 'lunch', visibility_policy: 1 }));
    granted(await owner.patch(`/messages/${sent['kept1']}`, { topic: '✔ plans' }));
    granted(await member.delete('/users/me/subscriptions', { subscriptions: ['shared'] }));
    await server.settled();
  });
  afterAll(() => begun.users.server.close());

  const wire = ({ operator, named, negated }: typeof terms extends fc.Arbitrary<(infer T)[]> ? T : never) => {
    const id = (name: unknown) => begun.users[name as (typeof USERS)[number]]?.id;
    const about = ['dm', 'dm-including', 'group-pm-with', 'sender', 'mentions'].includes(operator);
    const value = about
      ? Array.isArray(named)
        ? named.map(id)
        : id(named)
      : (begun.sent[named as string] ?? (operator === 'channel' ? begun.channels[named as string] : named));
    return term(operator, operator === 'search' ? named : value, negated);
  };

  const ids = ({ body, status }: Answer<Found>) => (status === 200 ? body.messages.map(({ id }) => id) : body.code);

  /** The answer of each endpoint that takes a narrow. */
  const asked = async (by: Person, narrow: readonly unknown[]) => {
    const page = { num_before: 0, num_after: 100, narrow };
    const oldest = await by.get<Found>('/messages', { ...page, anchor: 'oldest' });
    const newest = await by.get<Found>('/messages', { narrow, anchor: 'newest', num_before: 100 });
    const matching = await by.get<{ messages: object }>('/messages/matches_narrow', { msg_ids: POSITIONS, narrow });
    const marking = { ...page, anchor: 'oldest', op: 'remove', flag: 'collapsed' };
    const marked = await by.post<{ processed_count: number }>('/messages/flags/narrow', marking);
    return {
      oldest: ids(oldest),
      newest: ids(newest),
      matching: matching.status === 200 ? Object.keys(matching.body.messages).map(Number) : matching.body.code,
      marked: marked.status === 200 ? marked.body.processed_count : marked.body.code,
    };
  };

  it('has the same messages in each endpoint that takes one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...USERS), terms, async (user, some) => {
        const { oldest, newest, matching, marked } = await asked(begun.users[user], some.map(wire));
        expect({ newest, matching, marked }).toEqual({
          newest: oldest,
          matching: oldest,
          marked: Array.isArray(oldest) ? oldest.length : oldest,
        });
      }),
      { numRuns: 100 },
    );
  });
});
