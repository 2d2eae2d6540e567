import type { UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { AlertWordsAdded, AlertWordsRemoved } from './alert-word-events';
import { indexAlertWords, usersAlertedBy } from './alert-word-index';
import type { AlertWords } from './alert-words';
import { MAX_ALERT_WORDS, addAlertWords, removeAlertWords } from './alert-words';

const [ann, bob] = [1, 2] as [UserId, UserId];
const having = (...words: string[]): AlertWords => ({
  last: words.length,
  words: new Map(words.map((word, n) => [n + 1, word])),
});

describe('alert words of an account', () => {
  it('are added without empty ones, and once in any letter case', () => {
    expect(addAlertWords(having('Build'), ann, [' deploy ', '', 'BUILD', 'Deploy', 'on call'])).toEqual([
      fact(AlertWordsAdded, { userId: ann, wordIds: [2, 3] }, { words: ['deploy', 'on call'] }),
    ]);
    expect(addAlertWords(having('Build'), ann, ['build', ' '])).toEqual([]);
  });

  it('are removed in any letter case', () => {
    const removed = removeAlertWords(having('Build', 'deploy'), ann, ['build', 'other']);
    expect(removed).toEqual([fact(AlertWordsRemoved, { userId: ann, wordIds: [1] })]);
    expect(removeAlertWords(having('Build'), ann, ['other'])).toEqual([]);
  });

  it('are limited in number', () => {
    const many = having(...Array.from({ length: MAX_ALERT_WORDS }, (_, n) => `word${n}`));
    expect(() => addAlertWords(many, ann, ['one more'])).toThrow(`${MAX_ALERT_WORDS}`);
    expect(addAlertWords(many, ann, ['WORD1'])).toEqual([]);
  });
});

describe('alert words in a text', () => {
  const index = indexAlertWords([
    { userId: bob, word: 'Build' },
    { userId: ann, word: 'build' },
    { userId: ann, word: 'on call, today' },
    { userId: bob, word: 'C++' },
    { userId: bob, word: 'Größe' },
  ]);

  it.each<[string, readonly UserId[]]>([
    ['the build is red', [ann, bob]],
    ['**BUILD**: red', [ann, bob]],
    ['"build"? (build) build!', [ann, bob]],
    ['line\nbuild\nline', [ann, bob]],
    ['rebuild builds build-1', []],
    ['https://example.com/build', []],
    ['who is On Call, today?', [ann]],
    ['on call, todays', []],
    ['on call', []],
    ['we use C++ here', [bob]],
    ['GRÖSSE größe', [bob]],
    ['', []],
  ])('%j is of %j', (content, users) => {
    expect(usersAlertedBy(content, index)).toEqual(users);
  });

  it('are found in time, however often they repeat', () => {
    const own = Array.from({ length: MAX_ALERT_WORDS }, (_, n) => ({ userId: ann, word: `${'a '.repeat(49)}${n}` }));
    const repeated = indexAlertWords([...own, { userId: bob, word: 'a a' }]);
    expect(usersAlertedBy('a '.repeat(5_000), repeated)).toEqual([bob]);
  });
});
