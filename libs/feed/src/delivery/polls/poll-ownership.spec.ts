import type { Instant, RealmId } from '@annals/kernel/domain';
import type { WakeUps } from '@annals/kernel';
import { ManualClock } from '@annals/kernel/domain';
import { PollOwnership } from './poll-ownership';

type Signals = Pick<WakeUps, 'signal' | 'onSignal'>;
type Listener = Parameters<Signals['onSignal']>[1];

const realm = 1 as RealmId;
const QUEUE = 'a queue';

/** Processes whose signals wait until they are delivered. */
class Bus implements Signals {
  private readonly listeners = new Map<string, Listener[]>();
  private underWay: Parameters<Signals['signal']>[] = [];

  get waiting(): number {
    return this.underWay.length;
  }

  signal(...signal: Parameters<Signals['signal']>): void {
    this.underWay.push(signal);
  }

  onSignal(name: string, listener: Listener): () => void {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
    return () => undefined;
  }

  /** Delivers until no process has sent anything more. */
  deliver(): void {
    for (let next = this.underWay.shift(); next; next = this.underWay.shift()) {
      const [name, realmId, payload] = next;
      for (const listener of this.listeners.get(name) ?? []) listener(realmId, payload);
    }
  }

  lose(): void {
    this.underWay = [];
  }
}

/** A process that polls one queue. The last of its polls may be waiting. */
class Polling {
  isHanging = false;
  private readonly ownership: PollOwnership;

  constructor(bus: Bus, clock: ManualClock) {
    this.ownership = new PollOwnership(bus, clock, () => (this.isHanging = false));
  }

  poll(): void {
    this.isHanging = true;
    this.ownership.claim(realm, QUEUE);
  }

  /** Signals may have been lost, and a stream is open here. */
  reconnect(): void {
    this.ownership.claimAgain(realm, QUEUE);
  }

  /** The client of a stream has disconnected. */
  disconnect(): void {
    this.isHanging = false;
    this.ownership.release(realm, QUEUE);
  }

  /** Nobody polls here any more, so this process receives no signals of the realm. */
  idle(): void {
    this.ownership.forget(realm);
  }
}

describe('ownership of the poll of a queue', () => {
  const start = Date.UTC(2026, 0, 1) as Instant;
  let bus: Bus;
  let clock: ManualClock;
  let one: Polling;
  let other: Polling;
  beforeEach(() => {
    bus = new Bus();
    clock = new ManualClock(start);
    [one, other] = [new Polling(bus, clock), new Polling(bus, clock)];
  });
  const hanging = () => [one.isHanging, other.isHanging];

  it('costs one signal for each process that takes over, none for one that continues', () => {
    one.poll();
    expect(bus.waiting).toBe(1);
    bus.deliver();
    for (let polls = 0; polls < 3; polls++) one.poll();
    expect(bus.waiting).toBe(0);
    other.poll();
    expect(bus.waiting).toBe(1);
    bus.deliver();
    other.poll();
    expect(bus.waiting).toBe(0);
    one.poll();
    expect(bus.waiting).toBe(1);
  });

  it('ends the older poll, back and forth', () => {
    for (let round = 0; round < 3; round++) {
      one.poll();
      bus.deliver();
      expect(hanging()).toEqual([true, false]);
      other.poll();
      bus.deliver();
      expect(hanging()).toEqual([false, true]);
    }
  });

  it('spares a poll that began after the signal was sent', () => {
    one.poll();
    clock.advance(1);
    other.poll();
    bus.deliver();
    expect(hanging()).toEqual([false, true]);
    clock.advance(1);
    one.poll();
    clock.advance(1);
    other.poll();
    bus.deliver();
    expect(hanging()).toEqual([false, true]);
  });

  it('leaves exactly one of two polls of the same moment', () => {
    one.poll();
    other.poll();
    bus.deliver();
    expect(hanging().filter((isHanging) => isHanging)).toHaveLength(1);
  });

  it('increases also where the clock of a process is behind', () => {
    const behind = new Polling(bus, new ManualClock((start - 60_000) as Instant));
    one.poll();
    bus.deliver();
    behind.poll();
    bus.deliver();
    expect([one.isHanging, behind.isHanging]).toEqual([false, true]);
  });

  it('is not relied on by a process that received nothing of the organization meanwhile', () => {
    one.poll();
    bus.deliver();
    one.idle();
    other.poll();
    bus.lose();
    clock.advance(1_000);
    one.poll();
    bus.deliver();
    expect(hanging()).toEqual([true, false]);
  });

  it('is not kept by a process whose stream has ended, although its clock is ahead', () => {
    const ahead = new Polling(bus, new ManualClock((start + 60_000) as Instant));
    ahead.poll();
    bus.lose();
    ahead.disconnect();
    one.poll();
    bus.deliver();
    expect([one.isHanging, ahead.isHanging]).toEqual([true, false]);
  });

  it.each([
    ['older', 'newer'],
    ['newer', 'older'],
  ])('is found again after a lost signal when processes announce their streams again: the %s one first', (first) => {
    one.poll();
    bus.deliver();
    clock.advance(1_000);
    other.poll();
    bus.lose();
    for (const process of first === 'older' ? [one, other] : [other, one]) {
      process.reconnect();
      bus.deliver();
    }
    expect(hanging()).toEqual([false, true]);
  });

  it('is found again after a lost signal, by the next poll that is announced', () => {
    one.poll();
    bus.deliver();
    other.poll();
    bus.lose();
    expect(hanging()).toEqual([true, true]);
    clock.advance(1_000);
    new Polling(bus, clock).poll();
    bus.deliver();
    expect(hanging()).toEqual([false, false]);
  });
});
