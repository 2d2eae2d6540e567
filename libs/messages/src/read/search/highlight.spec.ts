import fc from 'fast-check';
import { addWordsIn, highlighted } from './highlight';

const only =
  (...words: string[]) =>
  (word: string) =>
    words.includes(word);
const span = (text: string) => `<span class="highlight">${text}</span>`;

describe('highlights', () => {
  it.each([
    ['<p>Good lunch, LUNCHES</p>', `<p>Good ${span('lunch')}, LUNCHES</p>`],
    ['<p>LUNCH &amp; <b>lunch</b></p>', `<p>${span('LUNCH')} &amp; <b>${span('lunch')}</b></p>`],
    ['<a href="/lunch" title="a > lunch">x</a>', '<a href="/lunch" title="a > lunch">x</a>'],
    ["<i title='lunch>'>lunch</i>", `<i title='lunch>'>${span('lunch')}</i>`],
    ['&lunch; &#108; &amp;lunch; a < lunch', `&lunch; &#108; &amp;${span('lunch')}; a < ${span('lunch')}`],
    [
      'lunch <span class="katex"><span>lunch</span><annotation>lunch</annotation></span> <span>lunch</span>',
      `${span('lunch')} <span class="katex"><span>lunch</span><annotation>lunch</annotation></span> <span>${span('lunch')}</span>`,
    ],
    ['in 東京 & <lunch', `in ${span('東京')} & <${span('lunch')}`],
    ['', ''],
  ])('%j', (html, result) => {
    expect(highlighted(html, only('lunch', '東', '京'))).toBe(result);
  });

  it('change nothing but words in texts, whatever the HTML is', () => {
    const pieces = fc.constantFrom(
      '<p>',
      '</p>',
      '<b title="x > p">',
      '</b>',
      '&amp;',
      'p',
      'amp',
      'title',
      ' ',
      '"',
      "'",
      '<',
    );
    const html = fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(html, (before) => {
        const after = highlighted(before, only('p', 'amp', 'title'));
        expect(after.replaceAll(span(''), '').replaceAll(/<span class="highlight">([^<&]*)<\/span>/g, '$1')).toBe(
          before,
        );
        for (const [, word = ''] of after.matchAll(/<span class="highlight">([^<]*)<\/span>/g)) {
          expect(word).toMatch(/^(p|amp|title)+$/);
        }
      }),
    );
  });

  it('are found among the words of the text, without tags, attributes and entities', () => {
    const words = new Set<string>();
    addWordsIn('<p title="no">One &amp; <b>TWO</b>one</p>', words);
    expect([...words]).toEqual(['one', 'two']);
  });
});
