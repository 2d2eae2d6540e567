import type { ClientEvent, Instant, Position, RealmId } from '../domain/index';
import { ManualClock } from '../domain/index';
import type { SignalListener } from './wake-ups';
import { ClientSignals } from './client-signals';

const realm = 1 as RealmId;
const typing: ClientEvent = { type: 'typing', audience: { kind: 'everyone' }, payload: { op: 'start' } };

describe('a signal to clients', () => {
  const listeners: SignalListener[] = [];
  const wakeUps = {
    broadcast: (_name: string, realmId: RealmId, payload: never) => listeners.forEach((each) => each(realmId, payload)),
    onSignal: (_name: string, listener: SignalListener) => {
      listeners.push(listener);
      return () => void listeners.splice(listeners.indexOf(listener), 1);
    },
  };
  const known = new Map([[realm, 42 as Position]]);
  const signals = new ClientSignals(
    wakeUps,
    { known: (asked) => new Map([...known].filter(([id]) => asked.includes(id))) },
    new ManualClock(1_000 as Instant),
  );

  it('contains the position of the log when it was sent, as long as a process listens', () => {
    const received: unknown[] = [];
    const unsubscribe = signals.onSignal((...each) => received.push(each));
    signals.send(realm, typing);
    unsubscribe();
    signals.send(realm, typing);
    expect(received).toEqual([[realm, { ...typing, position: 42, at: 1_000 }]]);
  });

  it('is not sent for a realm whose position this process does not know', () => {
    expect(() => signals.send(2 as RealmId, typing)).toThrow('does not know realm 2');
  });
});
