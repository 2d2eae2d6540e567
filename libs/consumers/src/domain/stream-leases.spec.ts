import type { Instant } from '@annals/kernel/domain';
import fc from 'fast-check';
import { streamHolder } from './holder';
import { Offers } from './offers';
import { StreamLeases } from './stream-leases';

const at = (time: number) => time as Instant;
const LATER = at(100);
const first = streamHolder('one', 'first');
const second = streamHolder('one', 'second');

/** Offers, as one answer after the other leased them at the same time. */
function leased(...answers: readonly (readonly [holder: string, ...offsets: readonly number[]])[]): Offers {
  const offers = new Offers({ offers: [], parkedKeys: [], heldKeys: new Map() });
  for (const [worker, ...offsets] of answers) {
    const now = offers.nextSince(worker, at(0));
    for (const offset of offsets) offers.lease(offset, `key ${offset}`, { worker, now, until: at(60) });
  }
  return offers;
}

const left = (offers: Offers) => offers.where(() => true).map(({ offset, state, until }) => [offset, state, until]);
const offsets = (offers: Offers) => offers.where(() => true).map(({ offset }) => offset);

describe('the leases of a stream', () => {
  it('are acknowledged by its worker, and by no other', () => {
    const offers = leased([first, 1, 2]);
    expect([offers.notLeased('one', [1, 2]), offers.notLeased('', [1]), offers.notLeased('onerous', [1])]).toEqual([
      [],
      [1],
      [1],
    ]);
    expect(offers.leasedThrough('one', 1)).toEqual([1]);
    expect([offers.leasedTo(first), offers.leasedTo(second), offers.leasedTo('one')]).toEqual([2, 0, 0]);
  });

  it('are prolonged, and those of others are not', () => {
    const offers = leased([first, 1], [second, 2], ['one', 3]);
    new StreamLeases(offers).prolong(first, LATER);
    expect(left(offers)).toEqual([
      [1, 'leased', 100],
      [2, 'leased', 60],
      [3, 'leased', 60],
    ]);
  });

  it('are given back at a time when it ends, which is no failed attempt', () => {
    const offers = leased([first, 1], ['one', 2]);
    new StreamLeases(offers).release(first, at(10));
    expect(left(offers)).toEqual([
      [1, 'waiting', 10],
      [2, 'leased', 60],
    ]);
    const due = (now: number, holder: string) => offers.due(at(now), 5, holder).map(({ attempts }) => attempts);
    expect([due(9, 'two'), due(10, 'two'), due(9, second)]).toEqual([[], [0], [0]]);
  });

  it('are acknowledged by the next stream in the order in which they were sent, which is not that of the log', () => {
    const offers = leased([first, 5, 9], [first, 2, 7]);
    new StreamLeases(offers).resume('one', 2, LATER);
    expect(left(offers)).toEqual([[7, 'waiting', 100]]);
    const again = leased([first, 5, 9], [first, 2, 7]);
    new StreamLeases(again).resume('one', 5, LATER);
    expect(offsets(again)).toEqual([2, 7, 9]);
  });

  it('are acknowledged also after it ended, and after its events could have gone to others', () => {
    const offers = leased([first, 1, 2]);
    new StreamLeases(offers).release(first, at(10));
    new StreamLeases(offers).resume('one', 1, LATER);
    expect(left(offers)).toEqual([[2, 'waiting', 10]]);
  });

  it('are not acknowledged by what another stream, another worker, or nobody sent', () => {
    const offers = leased([first, 1], [second, 2], [streamHolder('two', 'x'), 3], ['one', 4]);
    new StreamLeases(offers).resume('one', 2, LATER);
    expect(left(offers)).toEqual([
      [1, 'waiting', 100],
      [3, 'leased', 60],
      [4, 'leased', 60],
    ]);
    for (const unknown of [3, 4, 99, null]) new StreamLeases(offers).resume('one', unknown, LATER);
    expect(offsets(offers)).toEqual([1, 3, 4]);
  });

  it('leave alone an event that waits for another try', () => {
    const offers = leased([first, 1]);
    offers.retry(1, at(5), at(500));
    new StreamLeases(offers).resume('one', 1, LATER);
    expect(left(offers)).toEqual([[1, 'waiting', 500]]);
  });

  it('lose nothing that was not received, wherever a stream breaks', () => {
    const answers = fc.array(fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(answers, fc.nat(20), (drawn, received) => {
        const seen = new Set<number>();
        const sent = drawn.map((answer) =>
          answer.filter((n) => !seen.has(n) && seen.add(n)).sort((one, other) => one - other),
        );
        const offers = leased(...sent.map((answer): [string, ...number[]] => [first, ...answer]));
        const order = sent.flat();
        new StreamLeases(offers).resume('one', order[received - 1] ?? null, LATER);
        const kept = received > order.length ? order : order.slice(received);
        expect(offsets(offers)).toEqual([...kept].sort((one, other) => one - other));
      }),
    );
  });
});
