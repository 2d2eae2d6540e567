import fc from 'fast-check';
import type { Instant } from '@annals/kernel/domain';
import type { Hearing } from './hearings';
import { Hearings } from './hearings';

const NOW = 1_000 as Instant;

describe('what a queue has heard of signals', () => {
  let hearings: Hearings;
  beforeEach(() => {
    hearings = new Hearings();
    for (let n = 0; n < 5; n++) hearings.nextTurn();
  });
  const begin = (asked: number, isFresh = false, all = hearings): Hearing =>
    all.begin({ queueId: 'a queue', asked, isFresh, at: NOW });

  it('begins with what is sent after its first poll here', () => {
    expect(begin(100)).toEqual({ asked: 100, from: 5, since: NOW, heard: 5, handed: 100 });
  });

  it('begins with what arrives after its first poll of all', () => {
    expect(begin(100, true)).toEqual({ asked: 100, from: 5, since: 0, heard: 5, handed: 100 });
  });

  it('goes on where its last answer ended, once its client comes with that', () => {
    Object.assign(begin(100, true), { heard: 7, handed: 102 });
    expect(begin(102)).toMatchObject({ heard: 7, since: 0 });
  });

  it('is told again what its client did not get, as often as that happens', () => {
    Object.assign(begin(100, true), { heard: 7, handed: 102 });
    Object.assign(begin(100, true), { heard: 8, handed: 103 });
    expect(begin(100, true)).toMatchObject({ heard: 5, since: 0 });
  });

  it('begins anew when its client was answered elsewhere, or polls elsewhere', () => {
    Object.assign(begin(100, true), { heard: 7, handed: 102 });
    for (let n = 0; n < 4; n++) hearings.nextTurn();
    expect(begin(101)).toMatchObject({ heard: 9, since: NOW });
    hearings.nextTurn();
    hearings.forget('a queue');
    expect(begin(101)).toMatchObject({ heard: 10, since: NOW });
  });

  it('never goes back behind what its client has shown to have got, whichever answers are lost', () => {
    const polls = fc.array(fc.record({ signals: fc.nat(3), isLost: fc.boolean() }), { maxLength: 30 });
    fc.assert(
      fc.property(polls, (answers) => {
        const all = new Hearings();
        let [cursor, got, turn] = [100, 0, 0];
        for (const { signals, isLost } of answers) {
          const hearing = begin(cursor, true, all);
          expect(hearing.heard).toBe(got);
          for (let n = 0; n < signals; n++) turn = all.nextTurn();
          hearing.heard = turn;
          hearing.handed = cursor + turn - got;
          if (!isLost) [cursor, got] = [hearing.handed, turn];
        }
      }),
    );
  });
});
