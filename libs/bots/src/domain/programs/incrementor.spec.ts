import type { MessageId } from '@annals/kernel/domain';
import { counterToStore, incrementor, storedCounter } from './incrementor';

const stored = (entries: Record<string, string>) => storedCounter(new Map(Object.entries(entries)));

describe('the program incrementor', () => {
  it('counts, whatever it is asked', () => {
    for (const text of ['', 'hello']) expect(incrementor({ text, author: 'x' })).toEqual({ kind: 'count' });
  });

  it('remembers its number, its message and what it counted last', () => {
    const counter = { number: 7, messageId: 40 as MessageId, counted: 39 as MessageId };
    expect(counterToStore(counter)).toEqual({ number: '7', message_id: '40', counted: '39' });
    expect(stored(counterToStore(counter))).toEqual(counter);
  });

  it('begins with nothing, also where the storage has something else', () => {
    const nothing = { number: 0, messageId: null, counted: null };
    expect(stored({})).toEqual(nothing);
    expect(stored({ number: 'many', message_id: 'null', counted: '-1' })).toEqual(nothing);
    expect(stored(counterToStore(nothing))).toEqual(nothing);
  });
});
