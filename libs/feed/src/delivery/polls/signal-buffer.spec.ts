import type { Audience, Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import type { QueueOptions } from '../../queues/client-queue';
import type { BufferedSignal } from './signal-buffer';
import { lastLoggedId, eventId } from '../../domain/event-id';
import { ClientQueue } from '../../queues/client-queue';
import { SignalBuffer } from './signal-buffer';
import { Poll } from './poll';

const realm = 1 as RealmId;
const [ada, bob] = [1 as UserId, 2 as UserId];
const at = (position: number) => position as Position;
const NOW = 1_000_000 as Instant;

describe('signals that wait', () => {
  let clock: ManualClock;
  let signals: SignalBuffer;
  beforeEach(() => {
    clock = new ManualClock(NOW);
    signals = new SignalBuffer(clock);
  });
  const send = (by: string, position: number, { users = [ada], type = 'typing' } = {}) => {
    const audience: Audience = { kind: 'users', users };
    signals.add(realm, { type, audience, payload: { by }, position: at(position), at: clock.now() });
  };
  /** A poll of Ada's queue, which has received everything up to a position and no signal. */
  function poll(seen: number, id = lastLoggedId(seen), deliveredThrough = 0): Poll {
    const options = { eventTypes: ['typing'], narrow: [] } as unknown as QueueOptions;
    const queue = new ClientQueue(realm, 'a queue', ada, at(1), NOW, options, { id: lastLoggedId(1), seen: at(1) });
    const one = new Poll(queue, { id, seen: at(seen) }, NOW, null);
    one.signalCursor = { requestedId: id, from: deliveredThrough, since: 0, deliveredThrough, lastRepliedId: id };
    return one;
  }
  const names = (buffered: readonly BufferedSignal[]) => buffered.map(({ payload }) => payload['by']);

  it('are delivered up to the position to which a poll is served', () => {
    send('at 5', 5);
    send('at 7', 7);
    expect(names(signals.waitingFor(poll(4), at(4)))).toEqual([]);
    expect(names(signals.waitingFor(poll(4), at(6)))).toEqual(['at 5']);
    expect(names(signals.waitingFor(poll(7), at(6)))).toEqual(['at 5', 'at 7']);
    expect(names(signals.waitingFor(poll(7, lastLoggedId(7), 1), at(7)))).toEqual(['at 7']);
  });

  it('are skipped for good if none of them can be for the poll', () => {
    const one = poll(7);
    send('to Bob', 7, { users: [bob] });
    send('of a type that is not wanted', 7, { type: 'message' });
    send('later', 8);
    expect(signals.waitingFor(one, at(7))).toEqual([]);
    expect(one.signalCursor?.deliveredThrough).toBe(2);
    expect(names(signals.waitingFor(one, at(8)))).toEqual(['later']);
  });

  it('are not delivered to a client that has a part of a position which the poll has not reached', () => {
    send('at 7', 7);
    expect(signals.waitingFor(poll(7, eventId(8, 2)), at(7))).toEqual([]);
    expect(names(signals.waitingFor(poll(7, eventId(8, 2)), at(8)))).toEqual(['at 7']);
  });

  it('count as sent together with the one that overtook them', () => {
    send('first to arrive', 8);
    send('overtaken', 7);
    expect(signals.waitingFor(poll(7), at(7))).toEqual([]);
    expect(names(signals.waitingFor(poll(7), at(8)))).toEqual(['first to arrive', 'overtaken']);
  });

  it('wait for a minute, and are dropped after that', () => {
    send('long ago', 7);
    clock.advance(59_999);
    signals.sweep();
    expect(names(signals.waitingFor(poll(7), at(7)))).toEqual(['long ago']);
    clock.advance(1);
    expect(signals.waitingFor(poll(7), at(7))).toEqual([]);
    signals.sweep();
    send('lately', 7);
    expect(names(signals.waitingFor(poll(7), at(7)))).toEqual(['lately']);
    signals.drop(realm);
    expect(signals.waitingFor(poll(7), at(7))).toEqual([]);
    expect(signals.sequence).toBe(2);
  });
});
