import type { RealmId } from '../domain/index';
import { Memory, memoryOf } from './memory';

const realm = (id: number) => id as RealmId;

describe('the memory for cached values', () => {
  const KB = 1_000;

  it('is bounded by bytes over all organizations and kinds, and what was used last remains', () => {
    const memory = new Memory(100 * KB);
    const [users, topics] = [memory.section<number>(), memory.section<number>()];
    users.set(realm(1), 'often', 0, KB);
    for (let n = 1; n <= 1_000; n++) {
      users.set(realm(1 + (n % 7)), `${n}`, n, KB);
      topics.set(realm(1 + (n % 7)), `${n}`, n, KB);
      expect(users.get(realm(1), 'often')).toBe(0);
    }
    const there = (n: number) => [users, topics].filter((each) => each.get(realm(1 + (n % 7)), `${n}`) === n).length;
    expect(there(1_000)).toBe(2);
    expect(there(990)).toBe(2);
    let kept = 0;
    for (let n = 1_000; n > 0; n--) kept += there(n);
    expect(kept).toBeLessThanOrEqual(100);
  });

  it('is dropped with its organization, and is not restored by an older read', () => {
    const memory = new Memory(100 * KB);
    const [users, topics] = [memory.section<number>(), memory.section<number>()];
    for (const id of [1, 2]) {
      for (let n = 0; n < 30; n++) users.set(realm(id), `${n}`, n, KB);
      topics.set(realm(id), 'one', 1, KB);
    }
    users.forget(realm(1));
    for (let n = 0; n < 30; n++) expect(users.get(realm(1), `${n}`)).toBeUndefined();
    for (let n = 20; n < 30; n++) expect(users.get(realm(2), `${n}`)).toBe(n);
    expect(topics.get(realm(1), 'one')).toBe(1);
  });

  it('holds what was set last, and nothing after a deletion, however long it was not used', () => {
    const memory = new Memory(10 * KB);
    const section = memory.section<number>();
    section.set(realm(1), 'a', 1, KB);
    for (let n = 0; n < 5; n++) section.set(realm(1), `${n}`, n, KB);
    section.set(realm(1), 'a', 2, KB);
    expect(section.get(realm(1), 'a')).toBe(2);
    for (let n = 0; n < 5; n++) section.set(realm(1), `${n}`, n, KB);
    section.delete(realm(1), 'a');
    expect(section.get(realm(1), 'a')).toBeUndefined();
  });

  it('may hold one value that is larger than the bound of all values', () => {
    const section = new Memory(10 * KB).section<string>();
    section.set(realm(1), 'huge', 'huge', 1_000 * KB);
    expect(section.get(realm(1), 'huge')).toBe('huge');
    for (let n = 0; n < 10; n++) section.set(realm(1), `${n}`, 'small', KB);
    expect(section.get(realm(1), 'huge')).toBeUndefined();
  });

  it('never counts less than it holds: after any changes the bound is that of the values alone', () => {
    const section = new Memory(64 * KB).section<number>();
    for (let n = 0; n < 20_000; n++) {
      const key = `${(n * 7_919) % 97}`;
      if (n % 5 === 0) section.delete(realm(n % 3), key);
      else if (n % 211 === 0) section.forget(realm(n % 3));
      else if (n % 3 === 0) section.get(realm(n % 3), key);
      else section.set(realm(n % 3), key, n, KB);
    }
    for (let n = 0; n < 60; n++) section.set(realm(9), `${n}`, n, KB);
    const kept = Array.from({ length: 60 }, (_, n) => section.get(realm(9), `${n}`)).filter((n) => n !== undefined);
    expect(kept.length).toBeGreaterThanOrEqual(24);
    expect(kept.length).toBeLessThanOrEqual(60);
  });
});

describe('the bytes of a value', () => {
  it('increase with its content', () => {
    const text = 'x'.repeat(1_000);
    for (const value of [
      text,
      [text],
      { a: { b: text } },
      new Map([['a', [text]]]),
      new Set([text]),
      Buffer.alloc(2_000),
    ])
      expect(memoryOf(value)).toBeGreaterThanOrEqual(2_000);
    for (const value of [0, null, undefined, true, 'short']) expect(memoryOf(value)).toBeLessThan(50);
    expect(memoryOf(new Set(Array.from({ length: 1_000 }, (_, n) => n)))).toBeGreaterThan(8_000);
  });

  it('are counted once for a value that refers to itself', () => {
    const value: { self?: unknown } = {};
    value.self = value;
    expect(memoryOf(value)).toBeLessThan(200);
  });
});
