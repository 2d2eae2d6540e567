import fc from 'fast-check';
import { htmlDiff } from './html-diff';

const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;
const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;

/** The HTML without the stretches that are marked as deleted and without the other marks. */
const newText = (diff: string) =>
  diff
    .replace(/<span class="highlight_text_deleted">[^<]*<\/span>/g, '')
    .replace(/<span class="highlight_text_inserted">([^<]*)<\/span>/g, '$1');

describe('the difference of two texts', () => {
  it('marks added and removed words', () => {
    expect(htmlDiff('<p>one two three</p>', '<p>one four three</p>')).toBe(
      `<p>one ${deleted('two')}${inserted('four')} three</p>`,
    );
  });

  it('is the text itself if nothing changed', () => {
    expect(htmlDiff('<p>a &amp; b</p>', '<p>a &amp; b</p>')).toBe('<p>a &amp; b</p>');
  });

  it('has the tags of the new text only, and marks no tag', () => {
    expect(htmlDiff('<p>never <em>mind</em></p>', '<p>never mind</p>')).toBe('<p>never mind</p>');
    expect(htmlDiff('<p>a</p>', '<p>a <strong>b</strong></p>')).toBe(`<p>a <strong>${inserted('b')}</strong></p>`);
  });

  it('marks a formula as a whole, and shows the source of one that was removed', () => {
    const formula = (source: string) =>
      `<span class="katex"><span class="katex-mathml"><math><mi>${source}</mi><annotation encoding="application/x-tex">${source}` +
      `</annotation></math></span><span class="katex-html" aria-hidden="true"><span class="mord">${source}</span></span></span>`;
    expect(htmlDiff(`<p>a ${formula('x')}</p>`, `<p>a ${formula('y')} b</p>`)).toBe(
      `<p>a ${deleted('x')}${inserted(formula('y'))}${inserted(' b')}</p>`,
    );
    expect(htmlDiff(`<p>${formula('x')}</p>`, `<p>${formula('x')} b</p>`)).toBe(
      `<p>${formula('x')}${inserted(' b')}</p>`,
    );
  });

  it('does not compare long texts that have nothing in common', () => {
    const [before, after] = ['a', 'b'].map((letter) => `<p>${`${letter} `.repeat(5_000)}</p>`) as [string, string];
    const diff = htmlDiff(before, after);
    expect(diff.match(/highlight_text_deleted/g)).toHaveLength(1);
    expect(newText(diff)).toBe(after);
  });

  it('contains the new text, whatever both are', () => {
    const tag = fc.constantFrom('<p>', '</p>', '<em>', '</em>', '<br>', '<a href="x">', '</a>');
    const html = fc.array(fc.oneof(tag, fc.constantFrom('one', 'two ', '&amp;', ' ', '你好', 'x-y', '.')), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(html, html, (before, after) => {
        expect(newText(htmlDiff(before.join(''), after.join('')))).toBe(after.join(''));
      }),
    );
  });
});
