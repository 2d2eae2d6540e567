import { EVERYTHING } from '../../../libs/messages/src/read/narrow/compiled-narrow';
import { wordsSql } from '../../../libs/messages/src/read/query/text-search';
import { term } from '../../support/requests/message-fixture';
import { copied, idOf, send, sendDirect } from '../../support/requests/messages';
import { highlight, matchesOf, refusalOf, searched, textsWith } from '../../support/requests/searches';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startWithUsers } from '../../support/server/start-with-users';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let kitchen: number;
beforeAll(async () => {
  ({ server, owner, member, other } = await startWithUsers());
  kitchen = await server.channel(owner, { name: 'kitchen', subscribers: [owner, member] });
  const garden = await server.channel(owner, { name: 'garden', subscribers: [owner] });
  const posts: [by: Person, to: number, topic: string, content: string][] = [
    [owner, kitchen, 'menu', 'We are cooking **soups** & salad'],
    [member, kitchen, 'menu', 'The soup of the day: tomato'],
    [owner, kitchen, 'Day plans', 'see [the recipe](https://example.com/soup/tomato) `<b>`'],
    [owner, garden, 'tomato beds', 'Water them twice a day'],
    [owner, garden, '', '東京タワー and 京都'],
  ];
  for (const [by, to, topic, content] of posts) await idOf(send(by, { to, topic, content }));
  granted(await sendDirect(owner, [member.id], { content: 'Soup tonight? A secret' }));
  await server.settled();
});
afterAll(() => server.close());

const [COOKING, DAY, RECIPE, WATER, TOWER, TONIGHT] = [
  'We are cooking **soups** & salad',
  'The soup of the day: tomato',
  'see [the recipe](https://example.com/soup/tomato) `<b>`',
  'Water them twice a day',
  '東京タワー and 京都',
  'Soup tonight? A secret',
];

describe('a search', () => {
  it.each([
    ['a word with any ending and letter case', 'SOUP', [COOKING, DAY, RECIPE, TONIGHT]],
    ['several words, in any order', 'tomato soups', [DAY, RECIPE]],
    ['a word of a topic', 'beds', [WATER]],
    ['words of which some are in the topic', 'tomatoes water', [WATER]],
    ['words in the topic and in the text', 'menu salad', [COOKING]],
    ['words in a link', 'example.com', [RECIPE]],
    ['words that follow each other', '"soup of the day"', [DAY]],
    ['no words in another order', '"day of the soup"', []],
    ['no words of which one is missing', 'soup salad tomato', []],
    ['a phrase and a word', '"water them" DAY', [WATER]],
    ['words in a quote that is not closed', '"day soup', [DAY, RECIPE]],
    ['scripts without spaces, by their characters', '京都', [TOWER]],
    ['the same in order', 'タワ', [TOWER]],
    ['the same in no other order', '京東', []],
    ['other words than stop words', 'the day', [DAY, RECIPE, WATER]],
    ['nothing by stop words alone', 'the of', []],
    ['nothing by characters that are no words', '!!! & | :*', []],
  ])('finds %s', async (_, operand, texts) => {
    expect(await textsWith(owner, operand)).toEqual(texts);
  });

  it('finds what the user received', async () => {
    expect(await textsWith(member, 'soup')).toEqual([COOKING, DAY, RECIPE, TONIGHT]);
    expect(await textsWith(member, 'water')).toEqual([]);
    expect(await textsWith(other, 'soup')).toEqual([]);
  });

  it('is combined with other terms', async () => {
    expect(await textsWith(owner, 'soup', [term('channel', 'kitchen'), term('topic', 'menu')])).toEqual([COOKING, DAY]);
    expect(await textsWith(other, 'soup', [term('channels', 'public')])).toEqual([COOKING, DAY, RECIPE]);
    expect(await textsWith(owner, 'soup', [term('is', 'dm')])).toEqual([TONIGHT]);
    expect(await textsWith(owner, 'soup', [term('dm', [member.id])])).toEqual([TONIGHT]);
    expect(await textsWith(owner, 'soup', [term('sender', member.id)])).toEqual([DAY]);
    expect(await textsWith(owner, 'soup', [term('has', 'link')])).toEqual([RECIPE]);
    expect(await textsWith(owner, 'soup', [term('sender', member.id, true), term('has', 'link', true)])).toEqual([
      COOKING,
      TONIGHT,
    ]);
    expect(await textsWith(owner, 'soup', [term('search', 'tomato')])).toEqual([DAY, RECIPE]);
  });

  it('may be negated', async () => {
    expect(await textsWith(owner, 'soup', [term('search', 'tomato', true)])).toEqual([COOKING, TONIGHT]);
    expect(await textsWith(owner, 'day', [term('search', '"twice a day"', true)])).toEqual([DAY, RECIPE]);
    expect(await textsWith(owner, 'day', [term('search', 'beds', true)])).toEqual([DAY, RECIPE]);
    expect(await textsWith(owner, 'soup', [term('search', 'the', true)])).toHaveLength(4);
    const narrow = [term('search', 'soup', true)];
    const { messages } = granted(await searched(owner, 'x', [], { narrow, apply_markdown: false }));
    expect(messages.map(({ content }) => content)).toEqual([WATER, TOWER]);
  });

  it('has the fields of a match without highlights if it only excludes words', async () => {
    const narrow = [term('search', 'soup', true)];
    const { messages } = granted(await searched(owner, 'x', [], { narrow }));
    expect(messages).toHaveLength(2);
    for (const one of messages as readonly Record<string, unknown>[]) {
      expect(one).toMatchObject({ match_content: one['content'], match_subject: one['subject'] });
    }
  });

  it('finds around any anchor', async () => {
    const all = (await matchesOf(owner, 'soup')).map(({ id }) => id);
    const around = async (params: object) => {
      const { body } = await searched(owner, 'soup', [], { num_before: 1, num_after: 1, ...params });
      const { messages, ...found } = body;
      return { ids: messages.map(({ id }) => id), ...found };
    };
    expect(await around({ anchor: all[2] })).toMatchObject({ ids: all.slice(1), found_anchor: true });
    expect(await around({ anchor: 'oldest' })).toMatchObject({ ids: all.slice(0, 1), found_oldest: true });
    const unread = await searched(member, 'soup', [], { anchor: 'first_unread', num_before: 0 });
    expect(unread.body).toMatchObject({ anchor: all[0], found_anchor: true });
  });

  it('answers texts and topics with the words highlighted', async () => {
    const [cooking, day, recipe] = await matchesOf(owner, 'soup');
    expect(cooking).toMatchObject({
      content: '<p>We are cooking <strong>soups</strong> &amp; salad</p>',
      match_content: `<p>We are cooking <strong>${highlight('soups')}</strong> &amp; salad</p>`,
      match_subject: 'menu',
    });
    expect(day?.match_content).toBe(`<p>The ${highlight('soup')} of the day: tomato</p>`);
    expect(recipe?.match_content).toBe(
      '<p>see <a href="https://example.com/soup/tomato">the recipe</a> <code>&lt;b&gt;</code></p>',
    );
    const [plans] = await matchesOf(owner, 'recipe plan', [], { apply_markdown: false });
    expect(plans).toMatchObject({ content: RECIPE, match_subject: `Day ${highlight('plans')}` });
    expect(plans?.match_content).toContain(`the ${highlight('recipe')}`);
    const [tower] = await matchesOf(owner, '東京');
    expect(tower).toMatchObject({
      match_content: `<p>${highlight('東京')}タワー and ${highlight('京')}都</p>`,
      match_subject: 'general chat',
    });
    expect((await matchesOf(owner, 'tonight'))[0]).toMatchObject({ match_subject: '' });
    expect(await matchesOf(owner, 'x', [], { narrow: [] })).not.toContainEqual(
      expect.objectContaining({ match_content: expect.anything() as unknown }),
    );
  });

  it('escapes topics', async () => {
    const id = await idOf(send(owner, { to: kitchen, topic: '<i>pepper</i> & "salt"', content: 'x' }));
    await server.settled();
    const [found] = await matchesOf(owner, 'pepper');
    expect(found).toMatchObject({
      id,
      match_subject: `&lt;i&gt;${highlight('pepper')}&lt;/i&gt; &amp; &quot;salt&quot;`,
    });
  });

  it('is a term of GET /messages/matches_narrow and of message_ids', async () => {
    const [first, second] = (await matchesOf(owner, 'soup')).map(({ id }) => id);
    const ids = [first, second];
    const narrow = [term('search', 'salad')];
    const { body } = await owner.get<{ messages: object }>('/messages/matches_narrow', { msg_ids: ids, narrow });
    expect(body.messages).toEqual({
      [String(first)]: {
        match_content: `<p>We are cooking <strong>soups</strong> &amp; ${highlight('salad')}</p>`,
        match_subject: 'menu',
      },
    });
    const byIds = await owner.get<{ messages: { id: number }[] }>('/messages', { message_ids: ids, narrow });
    expect(granted(byIds).messages).toMatchObject([{ id: first, match_subject: 'menu' }]);
  });

  it('refuses an operand that is no text, blank, or too long', async () => {
    for (const operand of ['', '  ', 7, ['soup'], null, 'x'.repeat(1_001), 'x '.repeat(51)]) {
      expect(refusalOf(await searched(owner, operand))).toEqual({ status: 400, code: 'BAD_NARROW' });
    }
  });
});

describe('behind many other messages, a search', () => {
  beforeAll(async () => {
    const id = await idOf(send(owner, { to: kitchen, topic: 'chatter', content: 'just a common noise' }));
    await copied(server.kernel, id, 900);
    await server.settled();
  });

  it('finds rare words in texts and topics', async () => {
    expect(await textsWith(owner, 'tomato')).toEqual([DAY, RECIPE, WATER]);
    expect(await textsWith(owner, 'tomato soup')).toEqual([DAY, RECIPE]);
    expect(await textsWith(owner, 'tomato', [term('channel', 'kitchen')])).toEqual([DAY, RECIPE]);
    expect(await textsWith(other, 'tomato', [term('channels', 'public')])).toEqual([DAY, RECIPE, WATER]);
    expect(await textsWith(member, 'tomato')).toEqual([DAY, RECIPE]);
    expect(await textsWith(owner, 'tomato', [term('search', 'water', true)])).toEqual([DAY, RECIPE]);
    expect(await textsWith(owner, 'tomato', [], { anchor: 'oldest', num_before: 0, num_after: 2 })).toEqual([
      DAY,
      RECIPE,
    ]);
    expect(await textsWith(other, 'tomato')).toEqual([]);
  });

  it('reads words by their index or by the ids of messages, as it chose, and messages by their keys', async () => {
    const { pool } = server.kernel.database;
    await pool.query('ANALYZE');
    const [ofWords, ofIds] = ['message_words_i1', 'message_words_pkey'];
    for (const source of ['received', 'seen'] as const) {
      const search = { narrow: { ...EVERYTHING, source }, order: 'newest first' } as const;
      for (const [access, used, other] of [
        ['by index', ofWords, ofIds],
        ['in order', ofIds, ofWords],
      ] as const) {
        const { rows } = await pool.query<Record<'QUERY PLAN', string>>(
          `EXPLAIN (GENERIC_PLAN) ${wordsSql(search, access)}`,
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toContain(used);
        expect(plan).not.toContain(other);
        expect(plan).not.toContain('Seq Scan on messages');
      }
    }
  });

  it('finds common words', async () => {
    expect(await textsWith(owner, 'noise')).toHaveLength(100);
    expect(await textsWith(owner, 'noises chatter', [], { num_before: 5_000 })).toHaveLength(901);
  });
});
