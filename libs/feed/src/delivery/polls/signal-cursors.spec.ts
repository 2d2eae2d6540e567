import fc from 'fast-check';
import type { Instant } from '@annals/kernel/domain';
import type { Hearing } from './signal-cursors';
import { Hearings } from './signal-cursors';

const REGISTERED = 900 as Instant;
const NOW = 1_000 as Instant;

describe('what a queue has heard of signals', () => {
  const signals = { turn: 0 };
  let hearings: Hearings;
  beforeEach(() => {
    signals.turn = 5;
    hearings = new Hearings(signals);
  });
  const begin = (asked: number, freshSince: Instant | null = null): Hearing =>
    hearings.begin({ queueId: 'a queue', asked, freshSince, at: NOW });

  it('begins with what is sent after its first poll here', () => {
    expect(begin(100)).toEqual({ asked: 100, from: 5, since: NOW, heard: 5, handed: 100 });
  });

  it('begins with what was sent after it was registered, if that is its first poll of all', () => {
    expect(begin(100, REGISTERED)).toEqual({ asked: 100, from: 0, since: REGISTERED, heard: 0, handed: 100 });
  });

  it('begins with what has arrived since it was registered here', () => {
    const opened = hearings.opening();
    signals.turn = 8;
    opened('a queue', 100);
    expect(begin(100, REGISTERED)).toMatchObject({ from: 5, since: 0, heard: 5 });
  });

  it('goes on where its last answer ended, once its client comes with that', () => {
    Object.assign(begin(100, REGISTERED), { heard: 7, handed: 102 });
    expect(begin(102)).toMatchObject({ heard: 7, since: REGISTERED });
  });

  it('is told again what its client did not get, as often as that happens', () => {
    const opened = hearings.opening();
    opened('a queue', 100);
    Object.assign(begin(100, REGISTERED), { heard: 7, handed: 102 });
    Object.assign(begin(100, REGISTERED), { heard: 8, handed: 103 });
    expect(begin(100, REGISTERED)).toMatchObject({ heard: 5, since: 0 });
  });

  it('begins anew when its client was answered elsewhere, or polls elsewhere', () => {
    Object.assign(begin(100, REGISTERED), { heard: 7, handed: 102 });
    signals.turn = 9;
    expect(begin(101)).toMatchObject({ heard: 9, since: NOW });
    signals.turn = 10;
    hearings.forget('a queue');
    expect(begin(101)).toMatchObject({ heard: 10, since: NOW });
  });

  it('never goes back behind what its client has shown to have got, whichever answers are lost', () => {
    const polls = fc.array(fc.record({ sent: fc.nat(3), isLost: fc.boolean() }), { maxLength: 30 });
    fc.assert(
      fc.property(polls, (answers) => {
        hearings = new Hearings(signals);
        hearings.opening()('a queue', 100);
        let [cursor, got] = [100, signals.turn];
        for (const { sent, isLost } of answers) {
          const hearing = begin(cursor, cursor === 100 ? REGISTERED : null);
          expect(hearing.heard).toBe(got);
          signals.turn += sent;
          hearing.heard = signals.turn;
          hearing.handed = cursor + signals.turn - got;
          if (!isLost) [cursor, got] = [hearing.handed, signals.turn];
        }
      }),
    );
  });
});
