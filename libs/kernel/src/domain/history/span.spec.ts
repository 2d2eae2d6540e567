import fc from 'fast-check';
import type { Position } from '../ids';
import type { Span } from './span';
import { contains, covers, intersection, overlaps, spansAsOf } from './span';

const END = 12;
const positions = Array.from({ length: END + 1 }, (_, position) => position);
const position = fc.integer({ min: 0, max: END });
const span: fc.Arbitrary<Span> = fc.tuple(position, fc.option(position)).map(([a, b]) => ({
  from: Math.min(a, b ?? a) as Position,
  to: b === null ? null : (Math.max(a, b) as Position),
}));

/** Its positions up to END, written down one by one. */
const listed = ({ from, to }: Span): number[] => {
  const found: number[] = [];
  for (let next: number = from; next <= END && next !== to; next += 1) found.push(next);
  return found;
};
const contained = (one: Span) => positions.filter((at) => contains(one, at));

describe('a span of the log', () => {
  it('contains its first position and those after it, and not its end', () => {
    fc.assert(
      fc.property(span, (one) => expect(contained(one)).toEqual(listed(one))),
      { numRuns: 100 },
    );
  });

  it('has in common with another one what both contain', () => {
    fc.assert(
      fc.property(span, span, (one, other) => {
        const shared = intersection(one, other);
        const common = listed(one).filter((at) => listed(other).includes(at));
        expect(shared ? contained(shared) : []).toEqual(common);
        expect(overlaps(one, other)).toBe(common.length > 0);
      }),
      { numRuns: 100 },
    );
  });

  it('was, right after an event, what is known of it without later events', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 3 }), position, (spans, asOf) => {
        const then = spansAsOf(spans, asOf);
        for (const at of positions) {
          const known = Math.min(at, asOf);
          expect(covers(then, at)).toBe(spans.some((one) => listed(one).includes(known)));
        }
      }),
      { numRuns: 100 },
    );
  });
});
