import type { MessageId } from '@annals/kernel/domain';
import fc from 'fast-check';
import { decodeIds, encodeIds } from './encoded-ids';

const ascending = (ids: readonly number[]): MessageId[] => [...new Set(ids)].sort((a, b) => a - b) as MessageId[];
const id = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));

describe('ids of messages as a text', () => {
  it('have the same ids after decoding, whatever the gaps between them', () => {
    const law = fc.property(fc.array(id, { minLength: 1, maxLength: 60 }), (some) => {
      const ids = ascending(some);
      expect(decodeIds(encodeIds(ids))).toEqual(ids);
    });
    fc.assert(law, { numRuns: 500 });
  });

  it('have one part for consecutive ids', () => {
    expect(encodeIds([100, 101, 102, 140] as MessageId[])).toBe('2s-2,12');
    expect(decodeIds('2s-2,12')).toEqual([100, 101, 102, 140]);
  });

  it('take two to four bytes for each message of a screen in the log of a busy organization', () => {
    const screen = (gap: number) => Array.from({ length: 20 }, (_, n) => 5_000_000_000 + n * gap) as MessageId[];
    expect(encodeIds(screen(1))).toHaveLength(9);
    expect(encodeIds(screen(7)).length).toBeLessThanOrEqual(48);
    expect(encodeIds(screen(300)).length).toBeLessThanOrEqual(80);
  });
});
