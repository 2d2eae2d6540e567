import { partsOfSize, runsOfDistinctKeys } from './splitting';

describe('runs of events', () => {
  it.each([
    ['', ''],
    ['abc', 'abc'],
    ['aab', 'a ab'],
    ['abacab', 'ab ac ab'],
  ])('have each key once: %j', (keys, runs) => {
    const split = runsOfDistinctKeys([...keys].map((key) => ({ key })));
    expect(split.map((run) => run.map(({ key }) => key).join('')).join(' ')).toBe(runs);
  });
});

describe('parts of a limited size', () => {
  it.each([
    [[], []],
    [
      [3, 4, 3, 1],
      [[3, 4, 3], [1]],
    ],
    [
      [11, 1, 9, 12],
      [[11], [1, 9], [12]],
    ],
  ])('hold %j', (sizes, parts) => {
    expect(partsOfSize(sizes, 10, (size) => size)).toEqual(parts);
  });
});
