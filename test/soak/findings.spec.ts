import { deliverableFrom, findingsOf } from './findings';

const stored = [
  { text: 'a', position: 3 },
  { text: 'b', position: 5 },
  { text: 'c', position: 8 },
];
const queue = { name: 'queue', since: 2, positions: [3, 5, 8], toTheEnd: true };
const NOTHING = { lost: [], doubled: [], disordered: [] };

describe('findings of a soak', () => {
  it('are none if every message is stored and delivered once and in order, acknowledged or not', () => {
    expect(findingsOf(['a', 'c'], stored, [queue, { ...queue, since: 5, positions: [8] }])).toEqual(NOTHING);
  });

  it('are messages that were acknowledged and are not stored', () => {
    expect(findingsOf(['a', 'd'], stored, []).lost).toEqual(['"d" was acknowledged and is not stored']);
  });

  it('are messages that are stored twice', () => {
    const twice = [...stored, { text: 'a', position: 9 }];
    expect(findingsOf(['a'], twice, []).doubled).toEqual(['"a" is stored 2 times']);
  });

  it('are messages that a queue did not receive, unless the queue ended before them', () => {
    const lost = (positions: number[], toTheEnd: boolean) =>
      findingsOf([], stored, [{ ...queue, positions, toTheEnd }]).lost;
    expect(lost([3, 8], true)).toEqual(['queue was never handed "b" at 5']);
    expect(lost([3, 5], true)).toEqual(['queue was never handed "c" at 8']);
    expect(lost([3, 5], false)).toEqual([]);
    expect(lost([5], false)).toEqual(['queue was never handed "a" at 3']);
  });

  it('are messages that a queue received twice or too late', () => {
    const { doubled, disordered } = findingsOf([], stored, [{ ...queue, positions: [5, 3, 5, 8] }]);
    expect(doubled).toEqual(['queue was handed 5 2 times']);
    expect(disordered).toEqual(['queue was handed 3 after 5']);
  });
});

describe('the time of a delivery is counted from', () => {
  const troubles = [
    { from: 1_000, until: 3_000 },
    { from: 8_000, until: 9_000 },
  ];

  it('the moment when the message was stored, if no fault was active', () => {
    expect(deliverableFrom(5_000, troubles)).toBe(5_000);
  });

  it('the end of a fault that was active then or soon after', () => {
    expect(deliverableFrom(2_000, troubles)).toBe(3_000);
    expect(deliverableFrom(7_500, troubles)).toBe(9_000);
  });
});
