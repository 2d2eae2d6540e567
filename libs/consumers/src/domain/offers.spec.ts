import type { Instant } from '@annals/kernel/domain';
import type { OfferState } from './offers';
import { MAX_ATTEMPTS, Offers } from './offers';

const at = (time: number) => time as Instant;
const lease = (worker = '', now = 0, until = 30) => ({ worker, now: at(now), until: at(until) });
const NOTHING: OfferState = { offers: [], parkedKeys: [], heldKeys: new Map() };

/** Offers after these events were leased: their offsets by key. */
function leased(events: readonly (readonly [offset: number, key: string])[], worker = ''): Offers {
  const offers = new Offers(NOTHING);
  for (const [offset, key] of events) offers.lease(offset, key, lease(worker));
  return stored(offers);
}

/** The same as another request finds them. */
function stored(offers: Offers): Offers {
  const { saved, heldKeys } = offers.changes();
  const parked = saved.filter(({ state }) => state === 'parked');
  return new Offers({
    offers: saved.filter(({ state }) => state !== 'parked'),
    parkedKeys: parked.map(({ key }) => key),
    heldKeys,
  });
}

const offsetsDue = (offers: Offers, now: number, limit = 10) => offers.due(at(now), limit).map(({ offset }) => offset);

describe('the offers of a consumer', () => {
  it('keep a key closed while one of its events is leased, and not other keys', () => {
    const offers = leased([[1, 'a']]);
    expect([offers.isOpen('a'), offers.isOpen('b')]).toEqual([false, true]);
    offers.acknowledge([1]);
    expect(offers.isOpen('a')).toBe(true);
  });

  it('may have several events of a key in one answer', () => {
    const offers = new Offers(NOTHING);
    offers.lease(1, 'a', lease());
    expect(offers.isOpen('a')).toBe(true);
  });

  it('are given back in order when a lease runs out, and only the first of a key has failed', () => {
    const offers = leased([
      [1, 'a'],
      [2, 'b'],
      [3, 'a'],
    ]);
    offers.lapse(at(29));
    expect(offsetsDue(offers, 29)).toEqual([]);
    offers.lapse(at(30));
    expect(offsetsDue(offers, 30)).toEqual([1, 3, 2]);
    expect(offers.due(at(30), 10).map(({ attempts }) => attempts)).toEqual([1, 0, 1]);
    expect(offsetsDue(offers, 30, 1)).toEqual([1]);
  });

  it('give back later events of a key that is tried again or parked', () => {
    const offers = leased([
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
    ]);
    offers.retry(1, at(5), at(20));
    expect([offsetsDue(offers, 19), offsetsDue(offers, 20)]).toEqual([[], [1, 2]]);
    offers.park(3, at(5));
    expect(offers.isOpen('b')).toBe(false);
  });

  it('wait for an earlier event that is leased, or that is not due', () => {
    const offers = leased([
      [1, 'a'],
      [2, 'a'],
    ]);
    offers.retry(2, at(0), at(0));
    expect(offsetsDue(offers, 10)).toEqual([]);
    offers.acknowledge([1]);
    expect(offsetsDue(offers, 10)).toEqual([2]);
  });

  it('park an event that failed too often, and what is behind it stays', () => {
    let offers = leased([
      [1, 'a'],
      [2, 'a'],
    ]);
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      offers.retry(1, at(0), at(0));
      expect(offsetsDue(offers, 0)).toEqual([1, 2]);
      offers.lease(1, 'a', lease());
    }
    offers.retry(1, at(7), at(7));
    expect(offers.changes().saved[0]).toMatchObject({ offset: 1, state: 'parked', since: 7, attempts: MAX_ATTEMPTS });
    offers = stored(offers);
    expect([offsetsDue(offers, 100), offers.isOpen('a')]).toEqual([[], false]);
  });

  it('know which events a worker has', () => {
    const offers = leased(
      [
        [1, 'a'],
        [5, 'b'],
      ],
      'one',
    );
    expect([offers.notLeased('one', [1, 5]), offers.notLeased('two', [1])]).toEqual([[], [1]]);
    expect([offers.leasedThrough('one', 4), offers.leasedThrough('two', 9)]).toEqual([[1], []]);
    expect([offers.underWay, offers.nextDue]).toEqual([2, 30]);
  });

  it('hold the events of a closed key until it is free', () => {
    const offers = leased([[1, 'a']]);
    offers.hold('a', 6);
    expect([offers.isHeld('a'), [...offers.freedKeys()]]).toEqual([true, []]);
    offers.acknowledge([1]);
    expect([...offers.freedKeys()]).toEqual([['a', 6]]);
    offers.release('a');
    expect(offers.changes()).toEqual({ saved: [], removed: [1], heldKeys: new Map(), releasedKeys: ['a'] });
  });
});
