import { Rejected } from '@annals/kernel/domain';
import {
  MAX_ENTRIES,
  MAX_KEY_LENGTH,
  MAX_STORED_CHARACTERS,
  ensureAllFound,
  sizeAfterWriting,
  sizeWithout,
  sizedEntries,
} from './bot-storage';

const NOTHING = { entries: 0, characters: 0 };
const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Rejected) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'granted';
};

describe('the size of an entry', () => {
  it('is that of its key and value in code points', () => {
    expect(sizedEntries({ a: 'bc', '': '', '😀': 'ä😀' })).toEqual([
      { key: 'a', value: 'bc', characters: 3 },
      { key: '', value: '', characters: 0 },
      { key: '😀', value: 'ä😀', characters: 3 },
    ]);
  });

  it('is limited for the key', () => {
    expect(sizedEntries({ ['😀'.repeat(MAX_KEY_LENGTH)]: 'x' })).toHaveLength(1);
    const tooLong = () => sizedEntries({ ['x'.repeat(MAX_KEY_LENGTH + 1)]: '' });
    expect(refusal(tooLong)).toBe('BAD_REQUEST Key is too long (limit: 500 characters)');
  });
});

describe('what a bot stores', () => {
  it('has the size of what is written instead of what it replaces', () => {
    const written = sizedEntries({ a: 'xyz', b: '' });
    const size = sizeAfterWriting({ entries: 3, characters: 30 }, { entries: 1, characters: 10 }, written);
    expect(size).toEqual({ entries: 4, characters: 25 });
    expect(sizeWithout(size, { entries: 2, characters: 5 })).toEqual({ entries: 2, characters: 20 });
  });

  it('is limited in characters, to the last one', () => {
    const full = { entries: 1, characters: MAX_STORED_CHARACTERS - 1 };
    const write = (value: string, replaced = NOTHING) =>
      refusal(() => sizeAfterWriting(full, replaced, sizedEntries({ '': value })));
    expect(write('x')).toBe('granted');
    const why = 'Request exceeds storage limit by 2 characters. The limit is 10000000 characters.';
    expect(write('xyz')).toBe(`BAD_REQUEST ${why}`);
    expect(write('xyz', { entries: 1, characters: 2 })).toBe('granted');
  });

  it('is limited in entries', () => {
    const full = { entries: MAX_ENTRIES, characters: 0 };
    const write = (replaced = NOTHING) => refusal(() => sizeAfterWriting(full, replaced, sizedEntries({ a: 'b' })));
    expect(write()).toBe('BAD_REQUEST Request exceeds storage limit by 1 keys. The limit is 100000 keys.');
    expect(write({ entries: 1, characters: 2 })).toBe('granted');
  });

  it('is found by each of its keys, however often it is asked for', () => {
    expect(refusal(() => ensureAllFound(['a', 'b', 'a'], 2))).toBe('granted');
    expect(refusal(() => ensureAllFound(['a', 'b'], 1))).toBe('BAD_REQUEST Key does not exist.');
  });
});
