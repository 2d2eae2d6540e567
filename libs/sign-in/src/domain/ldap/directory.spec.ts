import { canonicalName } from './directory';

describe('canonicalName', () => {
  it.each([
    ['another letter case', 'ADA LOVELACE'],
    ['more blanks', ' ada\u00a0  lovelace '],
    ['characters that are not seen', 'a\u00adda love\u200blace\ufe0f'],
    ['accents', 'Ádà lovelace'],
    ['wide letters', 'ａｄａ lovelace'],
  ])('is the same with %s', (_, name) => expect(canonicalName(name)).toBe('ada lovelace'));

  it('differs for names that differ', () => {
    expect(canonicalName('ada.l')).not.toBe(canonicalName('adal'));
    expect(canonicalName('STRASSE')).toBe(canonicalName('straße'));
  });
});
