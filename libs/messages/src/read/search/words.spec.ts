import { wordsIn } from './words';

describe('the words of a text', () => {
  it.each([
    ['Two  words, or\nfour!', ['two', 'words', 'or', 'four']],
    [
      'see [the docs](https://example.com/a/b?c=d_e)',
      ['see', 'the', 'docs', 'https', 'example', 'com', 'a', 'b', 'c', 'd', 'e'],
    ],
    ['**bo**ld, `code_name` and v1.2.3', ['bo', 'ld', 'code', 'name', 'and', 'v1', '2', '3']],
    ["don't", ['don', 't']],
    ['ÉTÉ Été e\u0301te\u0301', ['été', 'été', 'été']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    ['in 東京タワー2階', ['in', '東', '京', 'タ', 'ワ', 'ー', '2', '階']],
    ['🎉 — …', []],
    ['', []],
  ])('%j', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it('are cut to a length that PostgreSQL stores', () => {
    expect(wordsIn(`${'x'.repeat(5_000)} y`)).toEqual(['x'.repeat(200), 'y']);
  });
});
