import { names } from '../spec-support/examples';
import { render } from '../render';

const spans = (html: string): number => html.split('<span').length - 1;
const pictures = (html: string): number => html.split('<img').length - 1;

describe('emoji of a text', () => {
  it('are a thousand at most, and further ones remain text', () => {
    const characters = render('😀'.repeat(1_500), names);
    expect(spans(characters)).toBe(1_000);
    expect(characters.endsWith(`</span>${'😀'.repeat(500)}</p>`)).toBe(true);
    const named = render(':tada:'.repeat(1_500), names);
    expect(spans(named)).toBe(1_000);
    expect(named.endsWith(`</span>${':tada:'.repeat(500)}</p>`)).toBe(true);
    const own = render(':mascot:'.repeat(1_200), names);
    expect(pictures(own)).toBe(1_000);
    expect(own.endsWith(`>${':mascot:'.repeat(200)}</p>`)).toBe(true);
  });

  it('are a thousand of all kinds together', () => {
    const text = ['* :tada: 😀 :mascot:', '> :zulip: 😀', '**:tada:** 😀'].join('\n\n');
    const html = render(`${text}\n\n`.repeat(180), names);
    expect(spans(html) + pictures(html)).toBe(1_000);
  });

  it('are counted again in the next text', () => {
    for (const _ of [1, 2]) expect(spans(render('😀'.repeat(1_000), names))).toBe(1_000);
  });

  it('keep their places beside characters that a text cannot contain', () => {
    expect(render('\0:tada:\0 😀 &#0; `:a:`', names).replace(/<span [^>]*>(.*?)<\/span>/g, '<$1>')).toBe(
      '<p>\ufffd<:tada:>\ufffd <:grinning:> \ufffd <code>:a:</code></p>',
    );
  });
});
