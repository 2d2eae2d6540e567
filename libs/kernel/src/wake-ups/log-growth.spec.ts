import type { Position, RealmId } from '../domain/index';
import { HeldShares } from './held-shares';
import { LogGrowth } from './log-growth';
import type { Share } from './notice';
import type { WakeUpListener } from './wake-ups';

const realm = (id: number) => id as RealmId;
const at = (position: number) => position as Position;

describe('the growth of the log', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const growing = (gatherMs: number) => {
    const notices: [RealmId, Position][] = [];
    const publish = (_topic: string, realmId: RealmId, head: Position) => void notices.push([realmId, head]);
    return { growth: new LogGrowth({ publish }, gatherMs), notices };
  };

  it('is announced at once after a pause, and then once for all commits of an interval', () => {
    const { growth, notices } = growing(250);
    for (const position of [1, 2, 3]) growth.note(realm(1), at(position));
    growth.note(realm(2), at(7));
    expect(notices).toEqual([
      [1, 1],
      [2, 7],
    ]);
    jest.advanceTimersByTime(250);
    expect(notices.slice(2)).toEqual([[1, 3]]);
    growth.note(realm(1), at(4));
    growth.note(realm(2), at(8));
    expect(notices.slice(3)).toEqual([[2, 8]]);
    jest.advanceTimersByTime(250);
    expect(notices.slice(4)).toEqual([[1, 4]]);
    jest.advanceTimersByTime(1_000);
    growth.note(realm(1), at(5));
    expect(notices.slice(5)).toEqual([[1, 5]]);
  });

  it('leaves no timer when nothing happens any more', () => {
    const { growth } = growing(250);
    growth.note(realm(1), at(1));
    growth.note(realm(1), at(2));
    jest.advanceTimersByTime(500);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is announced for every append if the interval is 0, and at the end for the rest', () => {
    const every = growing(0);
    for (const position of [1, 2]) every.growth.note(realm(1), at(position));
    expect(every.notices).toHaveLength(2);
    const { growth, notices } = growing(250);
    for (const position of [1, 2]) growth.note(realm(1), at(position));
    growth.flush();
    expect(notices.at(-1)).toEqual([1, 2]);
  });
});

it('a process listens to the shares that it holds, and to no others', async () => {
  const listened = new Map<string, WakeUpListener>();
  const awaited: unknown[] = [];
  const received: [string, RealmId][] = [];
  const wakeUps = {
    subscribe(topic: string, share: unknown, listener: WakeUpListener) {
      const key = `${topic} ${String(share)}`;
      listened.set(key, listener);
      return () => void listened.delete(key);
    },
    async listening(to: unknown) {
      awaited.push(to);
    },
  };
  const shares = new HeldShares(wakeUps, {
    log: (realmId) => void received.push(['log', realmId]),
    urgent: (realmId) => void received.push(['urgent', realmId]),
  });
  const hold = async (...numbers: readonly number[]) => {
    await shares.hold(numbers.map((n): Share => `share_${n}`));
    return [...listened.keys()].sort();
  };
  expect(await hold(1, 2)).toEqual(['log share_1', 'log share_2', 'urgent share_1', 'urgent share_2']);
  expect(await hold(2, 3)).toEqual(['log share_2', 'log share_3', 'urgent share_2', 'urgent share_3']);
  expect(awaited).toEqual(['share_1', 'share_2', 'share_3']);
  listened.get('urgent share_3')?.(realm(3), at(1));
  listened.get('log share_2')?.(realm(2), at(1));
  expect(received).toEqual([
    ['urgent', 3],
    ['log', 2],
  ]);
  expect(await hold()).toEqual([]);
});
