import type { Position } from '@annals/kernel/domain';
import { boundaryPositions } from './subscription-starts';

const at = (...positions: number[]) => positions as Position[];

describe('the positions that decide who was subscribed at any of many', () => {
  it('are the first one and the first after each new subscription', () => {
    expect(boundaryPositions(at(10, 11, 12, 20, 21, 30), at(1, 5, 15, 17, 40))).toEqual([10, 20]);
  });

  it('are the first one alone if nobody subscribed between them', () => {
    expect(boundaryPositions(at(10, 11, 12), at(3))).toEqual([10]);
    expect(boundaryPositions(at(10, 11, 12), at())).toEqual([10]);
  });

  it('are at most the given ones', () => {
    expect(boundaryPositions(at(), at(1, 2))).toEqual([]);
    expect(boundaryPositions(at(10, 20), at(1, 12, 14, 20))).toEqual([10, 20]);
  });

  it('find every user who was subscribed at one of all the positions, and nobody else', () => {
    const places = at(4, 6, 7, 11, 12, 19, 25);
    const spans = Array.from({ length: 30 }, (_, from) =>
      [2, 5, 40].map((length) => [from, from + length] as const),
    ).flat();
    const kept = boundaryPositions(places, at(...spans.map(([from]) => from)));
    const isThere = (some: readonly Position[]) => spans.map(([from, to]) => some.some((p) => from <= p && p < to));
    expect(isThere(kept)).toEqual(isThere(places));
    const fewer = spans.filter(([from]) => from % 9 === 0);
    const few = boundaryPositions(places, at(...fewer.map(([from]) => from)));
    expect(few.length).toBeLessThan(places.length);
    expect(fewer.map(([from, to]) => few.some((p) => from <= p && p < to))).toEqual(
      fewer.map(([from, to]) => places.some((p) => from <= p && p < to)),
    );
  });
});
