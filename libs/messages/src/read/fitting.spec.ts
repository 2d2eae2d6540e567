import type { MessageId } from '@annals/kernel/domain';
import { MAX_TEXT, fit, fittingAround } from './fitting';
import type { LoadedMessages } from './message-row';

const ids = [1, 2, 3, 4, 5, 6] as MessageId[];
const each = (length: number) =>
  ({ rows: new Map(ids.map((id) => [id, { text: { content: 'x'.repeat(length) } }])) }) as unknown as LoadedMessages;
const around = (anchor: number, length: number) => fittingAround(ids, anchor, each(length));

describe('the messages of one answer', () => {
  it('are all of them where their texts are short', () => {
    for (const anchor of [0, 4, 99]) expect(around(anchor, 1)).toEqual(ids);
    expect(fittingAround([], 4, each(1))).toEqual([]);
  });

  it('are those next to the anchor on both sides where they are long', () => {
    const third = Math.floor(MAX_TEXT / 3);
    expect(around(0, third)).toEqual([1, 2, 3]);
    expect(around(4, third)).toEqual([3, 4, 5]);
    expect(around(6, third)).toEqual([4, 5, 6]);
    expect(around(99, third)).toEqual([4, 5, 6]);
    expect([fit(ids.slice(0, 3), each(third)), fit(ids.slice(0, 4), each(third))]).toEqual([true, false]);
  });

  it('are at least one', () => {
    expect(around(4, MAX_TEXT + 1)).toEqual([4]);
    expect(around(99, MAX_TEXT + 1)).toEqual([6]);
  });
});
