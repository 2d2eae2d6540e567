import { recoveriesOf, tableOf } from './recoveries';

const faults = [{ kind: 'a fault', from: 1_000, until: 2_000 }];
const writers = [
  [
    { text: 'a', at: 900 },
    { text: 'b', at: 2_100 },
  ],
  [{ text: 'c', at: 2_300 }],
];
const positions = new Map([
  ['a', 1],
  ['b', 2],
  ['c', 3],
]);
const received = (...all: readonly (readonly [position: number, at: number])[]) =>
  all.map(([position, at]) => ({ position, at }));

describe('how a fault was felt', () => {
  it('are those of the slowest writer, the slowest listener, and the longest silence', () => {
    const listeners = [received([1, 950], [2, 2_150], [3, 2_350]), received([1, 950], [3, 2_700])];
    expect(recoveriesOf(faults, writers, listeners, positions)).toEqual([
      { kind: 'a fault', tookMs: 1_000, acknowledgedMs: 300, deliveredMs: 600, silenceMs: 1_750 },
    ]);
  });

  it('are unknown if one of them received nothing any more', () => {
    const [recovery] = recoveriesOf(faults, writers, [received([1, 950])], positions);
    expect(recovery).toMatchObject({ deliveredMs: null, silenceMs: 0 });
  });

  it('is a row for each kind: how often, the middle and the longest of each time', () => {
    const kind = 'a fault';
    const rows = [100, 300, 200].map((ms) => ({
      kind,
      tookMs: ms,
      silenceMs: 2 * ms,
      acknowledgedMs: 3 * ms,
      deliveredMs: null,
    }));
    expect(tableOf(rows).split('\n').at(-1)).toBe('| a fault | 3 | 200 (300) | 400 (600) | 600 (900) | - |');
  });
});
