import fc from 'fast-check';
import type { Instant } from '@annals/kernel/domain';
import type { SignalCursor } from './signal-cursors';
import { SignalCursors } from './signal-cursors';

const REGISTERED = 900 as Instant;
const NOW = 1_000 as Instant;

describe('how far a queue has received signals', () => {
  const signals = { sequence: 0 };
  let cursors: SignalCursors;
  beforeEach(() => {
    signals.sequence = 5;
    cursors = new SignalCursors(signals);
  });
  const begin = (requestedId: number, freshSince: Instant | null = null): SignalCursor =>
    cursors.begin({ queueId: 'a queue', requestedId, freshSince, at: NOW });

  it('begins with the signals that are sent after its first poll in this process', () => {
    expect(begin(100)).toEqual({ requestedId: 100, from: 5, since: NOW, deliveredThrough: 5, lastRepliedId: 100 });
  });

  it('begins with the signals that were sent after it was registered, if that is its first poll in any process', () => {
    expect(begin(100, REGISTERED)).toEqual({
      requestedId: 100,
      from: 0,
      since: REGISTERED,
      deliveredThrough: 0,
      lastRepliedId: 100,
    });
  });

  it('begins with the signals that arrived after it was registered in this process', () => {
    const opened = cursors.onRegister();
    signals.sequence = 8;
    opened('a queue', 100);
    expect(begin(100, REGISTERED)).toMatchObject({ from: 5, since: 0, deliveredThrough: 5 });
  });

  it('continues where its last answer ended, once its client requests that id', () => {
    Object.assign(begin(100, REGISTERED), { deliveredThrough: 7, lastRepliedId: 102 });
    expect(begin(102)).toMatchObject({ deliveredThrough: 7, since: REGISTERED });
  });

  it('receives again what its client did not receive, as often as that happens', () => {
    const opened = cursors.onRegister();
    opened('a queue', 100);
    Object.assign(begin(100, REGISTERED), { deliveredThrough: 7, lastRepliedId: 102 });
    Object.assign(begin(100, REGISTERED), { deliveredThrough: 8, lastRepliedId: 103 });
    expect(begin(100, REGISTERED)).toMatchObject({ deliveredThrough: 5, since: 0 });
  });

  it('begins again when its client was answered in another process, or polls in another one', () => {
    Object.assign(begin(100, REGISTERED), { deliveredThrough: 7, lastRepliedId: 102 });
    signals.sequence = 9;
    expect(begin(101)).toMatchObject({ deliveredThrough: 9, since: NOW });
    signals.sequence = 10;
    cursors.forget('a queue');
    expect(begin(101)).toMatchObject({ deliveredThrough: 10, since: NOW });
  });

  it('never repeats what its client has shown to have received, whichever answers are lost', () => {
    const polls = fc.array(fc.record({ sent: fc.nat(3), isLost: fc.boolean() }), { maxLength: 30 });
    fc.assert(
      fc.property(polls, (answers) => {
        cursors = new SignalCursors(signals);
        cursors.onRegister()('a queue', 100);
        let [cursor, got] = [100, signals.sequence];
        for (const { sent, isLost } of answers) {
          const signalCursor = begin(cursor, cursor === 100 ? REGISTERED : null);
          expect(signalCursor.deliveredThrough).toBe(got);
          signals.sequence += sent;
          signalCursor.deliveredThrough = signals.sequence;
          signalCursor.lastRepliedId = cursor + signals.sequence - got;
          if (!isLost) [cursor, got] = [signalCursor.lastRepliedId, signals.sequence];
        }
      }),
    );
  });
});
