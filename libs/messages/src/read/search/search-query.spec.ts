import { MAX_LENGTH, MAX_WORDS, phrasesOf } from './search-query';

describe('the phrases of a search', () => {
  it.each([
    ['lunch', [['lunch']]],
    ['  lunch   Berlin ', [['lunch'], ['berlin']]],
    ['"good lunch" Berlin', [['good', 'lunch'], ['berlin']]],
    ['"good lunch', [['good'], ['lunch']]],
    ['good" lunch', [['good'], ['lunch']]],
    ['"" lunch', [['lunch']]],
    [
      'e-mail a/b',
      [
        ['e', 'mail'],
        ['a', 'b'],
      ],
    ],
    ['東京 tower', [['東', '京'], ['tower']]],
    ["a & b | !c <-> 'd' :* \\", [['a'], ['b'], ['c'], ['d']]],
    ['!!! …', []],
    ['', []],
  ])('%j', (operand, phrases) => {
    expect(phrasesOf(operand)).toEqual(phrases);
  });

  it('are bounded in length and words', () => {
    const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(' ');
    expect(phrasesOf(words(MAX_WORDS))).toHaveLength(MAX_WORDS);
    for (const operand of [words(MAX_WORDS + 1), 'x'.repeat(MAX_LENGTH + 1)]) {
      expect(() => phrasesOf(operand)).toThrow(/^Invalid narrow operator: the search has too many/);
    }
  });
});
