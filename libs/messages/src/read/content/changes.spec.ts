import type { MessageChange } from './changes';
import { MAX_EDITS_REPORTED, latestOf, textLengthOf } from './changes';

const edit = (length: number) => ({ edit: { previous: { content: 'x'.repeat(length) } }, move: null }) as MessageChange;
const erased = { edit: { previous: { content: null } }, move: null } as MessageChange;
const move = { edit: null, move: {} } as MessageChange;
const reported = (changes: readonly MessageChange[], chars: number) => latestOf(changes, chars).length;

describe('the reported changes of a message', () => {
  it('are all of them if they are few', () => {
    expect(reported([edit(10), move, edit(10), erased, move], 20)).toBe(5);
    expect(reported([], 20)).toBe(0);
  });

  it('are the latest ones whose previous texts are within the limit', () => {
    expect(reported([edit(10), move, edit(11), move, edit(1)], 20)).toBe(2);
    expect(reported([edit(21), move], 20)).toBe(0);
    expect(textLengthOf([edit(10), move, edit(11), erased])).toBe(21);
  });

  it('are at most the maximum of edits, and no moves before them', () => {
    const edits = (count: number) => Array.from({ length: count }, () => edit(1));
    expect(reported([...edits(MAX_EDITS_REPORTED - 1), move, move], 1_000)).toBe(MAX_EDITS_REPORTED + 1);
    expect(reported([...edits(MAX_EDITS_REPORTED), move], 1_000)).toBe(MAX_EDITS_REPORTED);
    expect(reported([move, ...edits(MAX_EDITS_REPORTED + 1)], 1_000)).toBe(MAX_EDITS_REPORTED + 1);
  });
});
