import { textOf } from './mail-text';

const NOTHING = { keepsFooter: false, keepsQuotes: false, prefersHtml: false };
const written = (text: string, options: object = {}) => textOf({ text, html: false }, { ...NOTHING, ...options });

describe('what a person wrote in a mail', () => {
  it.each([
    ['Yes\n\nOn Monday, Ann Example <ann@example.org> wrote:\n> Really?\n> No?', 'Yes'],
    ['Yes\n\nOn Monday, Ann Example\n<ann@example.org> wrote:\n\n> Really?', 'Yes'],
    ['Ja\n\nAm 3. Mai um 10:00 schrieb Ann <ann@example.org>:\n> Ja?', 'Ja'],
    ['Oui\n\nLe lundi, Ann <ann@example.org> a écrit\u00a0:\n> Oui ?', 'Oui'],
    ['Hello:\n\nall\n\n-- \nAnn', 'Hello:\n\nall'],
    ['> Really?\n\nYes', 'Yes'],
    ['a\0b\ud800', 'ab\ufffd'],
  ])('%j is %j', async (text, expected) => {
    expect(await written(text)).toBe(expected);
  });

  it('is above the quote of a mail in HTML too', async () => {
    const quoted = [
      '<div dir="ltr">Yes, <b>all</b>&nbsp;of it</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, May 3 at 10:00 AM',
      ' Ann &lt;<a href="mailto:ann@example.org">ann@example.org</a>&gt; wrote:<br></div><blockquote>Really?</blockquote></div>',
    ];
    expect(await textOf({ html: quoted.join('') }, NOTHING)).toBe('Yes, **all**\u00a0of it');
    expect(await textOf({ html: quoted.join('') }, { ...NOTHING, keepsQuotes: true })).toMatch(/> Really\?$/);
  });

  it('has quotes and a signature on request', async () => {
    expect(await written('Yes\n\n> No?', { keepsQuotes: true })).toContain('> No?');
    expect(await written('Yes\n\n-- \nAnn', { keepsFooter: true })).toContain('Ann');
  });

  it.each([
    ['half a quote', 'abc. x skrev y\n'.repeat(13_000)],
    ['half a start of a quote in a line', `On ${'a '.repeat(99_000)}`],
    ['many starts of quotes', Array.from({ length: 9000 }, (_, n) => `On ${n} a a a a:\n`).join('')],
    ['many signatures', '-- \n'.repeat(50_000)],
    ['many empty lines', '\n'.repeat(200_000)],
    ['many signs of quotes', `${'>'.repeat(199_000)}x`],
  ])('is found in time in a long mail of %s', async (_, text) => {
    expect((await written(`Hi\n\n${text}`)).startsWith('Hi')).toBe(true);
  });
});
