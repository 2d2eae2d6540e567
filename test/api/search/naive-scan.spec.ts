import fc from 'fast-check';
import { copied, idOf, send, sendDirect } from '../../support/requests/messages';
import { textsWith } from '../../support/requests/searches';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startWithUsers } from '../../support/server/start-with-users';

/** Words that are their own stems and no stop words, so that a scan without knowledge of the language finds the same. */
const WORDS = ['red', 'blue', 'green', 'gold'];
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((some) => some.join(' '));
const author = fc.constantFrom('owner' as const, 'member' as const);
const nth = fc.nat({ max: 30 });

const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), by: author, topic: words, content: words }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('write' as const), content: words }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), nth, content: words }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), nth }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      nth,
      topic: words,
      mode: fc.constantFrom('change_one', 'change_all'),
    }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

const phrase = fc.oneof(
  fc.constantFrom(...WORDS),
  words.map((some) => `"${some}"`),
);
const searches = fc.array(
  fc.record({ phrases: fc.array(phrase, { minLength: 1, maxLength: 3 }), without: fc.option(phrase) }),
  { minLength: 6, maxLength: 6 },
);

interface Seen {
  readonly content: string;
  readonly subject: string;
}

const has = ({ content, subject }: Seen, quoted: string): boolean => {
  const wanted = ` ${quoted.replaceAll('"', '')} `;
  return ` ${content} `.includes(wanted) || ` ${subject} `.includes(wanted);
};

describe('a search', () => {
  let server: TestServer;
  let users: Readonly<Record<'owner' | 'member' | 'other', Person>>;
  let channel: number;
  beforeAll(async () => {
    const { owner, member, other, ...started } = await startWithUsers();
    server = started.server;
    users = { owner, member, other };
    channel = await server.channel(owner, { subscribers: [owner, member] });
  });
  afterAll(() => server.close());

  const sent: { readonly by: Person; readonly id: number }[] = [];
  const play = async (one: Act): Promise<void> => {
    if (one.do === 'send') {
      const by = users[one.by];
      sent.push({ by, id: await idOf(send(by, { to: channel, topic: one.topic, content: one.content })) });
    } else if (one.do === 'write') {
      const sending = sendDirect(users.owner, [users.other.id], { content: one.content });
      sent.push({ by: users.owner, id: granted(await sending).id });
    } else {
      const target = sent.at(-1 - one.nth);
      if (!target) return;
      const path = `/messages/${target.id}`;
      // A request for a deleted message, or for the topic of a direct one, is refused and changes nothing.
      if (one.do === 'edit') await target.by.patch(path, { content: one.content });
      else if (one.do === 'delete') await users.owner.delete(path);
      else await users.owner.patch(path, { topic: one.topic, propagate_mode: one.mode, ...NO_NOTICE });
    }
  };

  const agrees = async (asked: { readonly phrases: readonly string[]; readonly without: string | null }) => {
    const others = asked.without === null ? [] : [{ operator: 'search', operand: asked.without, negated: true }];
    for (const by of Object.values(users)) {
      const all = { anchor: 'newest', num_before: 5_000, narrow: [], apply_markdown: false };
      const { messages } = granted(await by.get<{ messages: Seen[] }>('/messages', all));
      const fitting = messages.filter(
        (one) =>
          asked.phrases.every((wanted) => has(one, wanted)) && (asked.without === null || !has(one, asked.without)),
      );
      const found = await textsWith(by, asked.phrases.join(' '), others, { num_before: 5_000 });
      expect(found).toEqual(fitting.map(({ content }) => content));
    }
  };

  it('finds what a scan of all texts and topics that the user received finds, near the newest message and far from it', async () => {
    const law = fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 30 }), searches, async (acts, asked) => {
      for (const one of acts) await play(one);
      await server.settled();
      for (const one of asked.slice(0, 3)) await agrees(one);
      await copied(
        server.kernel,
        await idOf(send(users.owner, { to: channel, topic: 'noise', content: 'noise' })),
        450,
      );
      await server.settled();
      for (const one of asked.slice(3)) await agrees(one);
    });
    await fc.assert(law, { numRuns: 2 });
  });
});

const NO_NOTICE = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };
