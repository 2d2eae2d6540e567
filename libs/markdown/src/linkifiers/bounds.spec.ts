import { names } from '../spec-support/examples';
import { render } from '../render';
import { linkedTexts } from './linked-texts';
import type { Linkifier } from './linkifier-set';
import { LinkifierSet, LinkifierWork } from './linkifier-set';
import { topicLinks } from './topic-links';
import { writtenLinks } from './written-links';

const SIZE = 10_000;
const full = (text: string): string => text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE);
const WORD = { pattern: '(?P<w>[^ ]+)', urlTemplate: `https://t.example/${'x'.repeat(1_900)}/{w}` };

describe('a text with as many links as possible', () => {
  const content = Array.from({ length: 2_500 }, (_, n) => `#${n}`)
    .join(' ')
    .slice(0, SIZE);
  const linkifiers = new LinkifierSet([{ pattern: '#(?P<id>\\d+)', urlTemplate: 'https://t.example/{id}' }]);

  it('records only some, and always the same', () => {
    const texts = linkedTexts(content, names, linkifiers);
    expect(texts.length).toBeGreaterThan(300);
    expect(JSON.stringify(texts).length).toBeLessThan(100_000);
    expect(linkedTexts(content, names, linkifiers)).toEqual(texts);
  });

  it('has HTML of a limited length, however long the URLs are', () => {
    const texts = linkedTexts(full('a '), names, new LinkifierSet([WORD]));
    expect(texts).toHaveLength(1);
    const html = render(full('a '), { ...names, linkedParts: writtenLinks(texts) });
    expect(html.split('<a ').length - 1).toBe(Math.floor(200_000 / (texts[0]!.url.length + 40)));
    expect(html.length).toBeLessThan(500_000);
  });
});

describe('the work of linkifiers', () => {
  /** Steps that were left when the matching ended. */
  const spentOn = (text: string, linkifiers: readonly Linkifier[]): number => {
    let spent = 0;
    const work = { spend: (steps: number) => ((spent += steps), true) } as unknown as LinkifierWork;
    new LinkifierSet(linkifiers).find(text, true, work);
    return spent;
  };
  const HOSTILE: readonly [pattern: string, text: string][] = [
    ['(a|aa|aaa)*b', 'a'],
    ['a(.*b)?', ' a'],
    ['(x+x+)+y', 'x'],
    ['(.*)(.*)(.*)=', '('],
    ['[^ ]{1,100}#', 'a '],
    ['(a?){50}a{50}', 'a'],
    ['(?:(?:x?)?)?', '  x'],
    ['\\pL+\\pN', 'é'],
  ];
  const linkifierOf = ([pattern]: (typeof HOSTILE)[number]) => ({ pattern, urlTemplate: 'https://t.example/' });

  test.each(HOSTILE)('of %j on %j grows no faster than the text', (pattern, unit) => {
    const linkifier = [linkifierOf([pattern, unit])];
    const [half, whole] = [1_500, 3_000].map((length) => spentOn(full(unit).slice(0, length), linkifier)) as [
      number,
      number,
    ];
    expect(whole).toBeLessThan(2.5 * half);
  });

  it('ends when its steps are spent', () => {
    const work = new LinkifierWork(1_000);
    expect([work.spend(600), work.spend(600), work.spend(400), work.spend(1)]).toEqual([true, false, true, false]);
    const linkifiers = new LinkifierSet(HOSTILE.map(linkifierOf));
    expect(linkifiers.find(full('a '), true, new LinkifierWork(0))).toEqual([]);
  });

  it('does not find what is longer than half a piece', () => {
    const one = new LinkifierSet([{ pattern: 'a+', urlTemplate: 'https://t.example/' }]);
    const lengths = (text: string) =>
      one.find(text, true, new LinkifierWork(1e9)).map(({ begin, end }) => [begin, end - begin]);
    expect(lengths('a'.repeat(300))).toEqual([[0, 300]]);
    expect(lengths('a'.repeat(301))).toEqual([]);
    expect(lengths(`${'a'.repeat(700)} a`)).toEqual([[701, 1]]);
    for (const before of [1, 250, 297, 298, 299, 300, 301, 302, 598, 599, 600, 601, 1_000]) {
      expect(lengths(`${'-'.repeat(before)} aaa -${'-'.repeat(600)}`)).toEqual([[before + 1, 3]]);
    }
  });
});

describe('links in a hostile name of a topic', () => {
  it('are found in it', () => {
    const many = new LinkifierSet(
      Array.from({ length: 20 }, (_, n) => ({ ...WORD, pattern: `(?P<w>[^ ]{${n + 1}})` })),
    );
    expect(topicLinks('a bb ccc '.repeat(6).trim(), many).length).toBeGreaterThan(10);
  });
});
