import type { RealmId } from '../../domain/index';
import type { Append } from './append';
import { BatchQueue } from './batch-queue';

interface Item {
  readonly name: string;
  readonly append: Append;
}

const item = (name: string, realm = 1, weight = 1, bytes = 10, letter = 'x'): Item => ({
  name,
  append: {
    realmId: realm as RealmId,
    weight,
    events: [{ dataText: letter.repeat(bytes / Buffer.byteLength(letter)), sealedText: null }],
  } as unknown as Append,
});

describe('the queue of a lane', () => {
  const queue = (...items: Item[]) => {
    const waiting = new BatchQueue<Item>((one) => one.append);
    for (const one of items) waiting.offer(one);
    return waiting;
  };
  const names = (items: readonly Item[]) => items.map((one) => one.name).join(' ');

  it('keeps the order of arrival within a realm, and alternates between realms', () => {
    const waiting = queue(item('a1'), item('a2'), item('a3'), item('b1', 2), item('c1', 3));
    expect(names(waiting.take())).toBe('a1 b1 c1 a2 a3');
    expect(waiting.size).toBe(0);
    expect(waiting.take()).toEqual([]);
  });

  it('fills a transaction with at most 512 commands, and the next one with the others', () => {
    const waiting = queue(...Array.from({ length: 600 }, (_, n) => item(`a${n}`)), item('b0', 2));
    const first = waiting.take();
    expect(first).toHaveLength(512);
    expect(names(first.slice(0, 2))).toBe('a0 b0');
    expect(waiting.take()).toHaveLength(89);
  });

  it.each(['x', 'é', '語', '😀'])('fills a transaction with about a megabyte at most, of the letter %s', (letter) => {
    const waiting = queue(...Array.from({ length: 5 }, (_, n) => item(`a${n}`, 1, 1, 400_000, letter)));
    expect(names(waiting.take())).toBe('a0 a1 a2');
  });

  it('gives an append that changes many rows a transaction of its own', () => {
    const waiting = queue(item('a1'), item('heavy', 1, 20_000), item('a2'), item('b1', 2));
    expect(names(waiting.take())).toBe('a1 b1');
    expect(names(waiting.take())).toBe('heavy');
    expect(names(waiting.take())).toBe('a2');
  });

  it('puts appends that must wait for the next batch back in front', () => {
    const waiting = queue(item('a3'));
    waiting.putBack([item('a1'), item('a2')]);
    expect(names(waiting.take())).toBe('a1 a2 a3');
  });

  it('is full for a realm with too many appends, and not for the others', () => {
    const waiting = queue();
    for (let n = 0; n < 10_000; n++) expect(waiting.offer(item('a'))).toBe(true);
    expect(waiting.offer(item('one too many'))).toBe(false);
    expect(waiting.offer(item('b1', 2))).toBe(true);
  });
});
