import fc from 'fast-check';
import type { Position } from '@annals/kernel/domain';
import {
  cursorOf,
  lastLoggedId,
  eventId,
  transientEventId,
  further,
  nextId,
  positionOf,
  acceptsTransientId,
} from './event-id';

const at = (position: number) => position as Position;

describe('the id of a client event', () => {
  it('is its position times 65,536 plus its place there', () => {
    expect(eventId(7, 3)).toBe(458_755);
    expect(positionOf(458_755)).toBe(7);
  });

  it('stays exact for 137 billion positions', () => {
    const last = 2 ** 37 - 1;
    expect(Number.isSafeInteger(lastLoggedId(last))).toBe(true);
    expect(positionOf(lastLoggedId(last))).toBe(last);
  });

  it('increases when one event becomes several objects, and never reaches the next position', () => {
    expect(nextId(7, 0, lastLoggedId(6))).toBe(eventId(7, 0));
    expect(nextId(7, 1, eventId(7, 4))).toBe(eventId(7, 5));
    expect(nextId(7, 1, eventId(7, 65_535))).toBe(eventId(7, 65_535));
  });
});

describe('the id of a heartbeat or a signal', () => {
  it('is above the cursor, in the upper half of the position its queue was served up to', () => {
    expect(transientEventId(lastLoggedId(7), 7)).toBe(eventId(7, 32_768));
    expect(transientEventId(eventId(7, 32_768), 7)).toBe(eventId(7, 32_769));
    expect(transientEventId(eventId(3, 1), 7)).toBe(eventId(7, 32_768));
  });

  it('never overtakes the next event, and repeats when the ids are used up', () => {
    const last = eventId(8, 0) - 1;
    expect(transientEventId(last - 1, 7)).toBe(last);
    expect(transientEventId(last, 7)).toBe(last);
  });

  it('is never below the cursor, and a queue with a part of the next position receives no signal', () => {
    expect(transientEventId(eventId(8, 2), 7)).toBe(eventId(8, 2));
    expect(acceptsTransientId({ id: eventId(8, 2), seen: at(7) })).toBe(false);
    expect(acceptsTransientId({ id: eventId(8, 2), seen: at(8) })).toBe(true);
  });

  it('increases until the ids are used up, and stays below every later event', () => {
    const acts = fc.array(fc.constantFrom('transient', 'event', 'nothing for it'), { maxLength: 200 });
    fc.assert(
      fc.property(acts, fc.nat(1_000), fc.boolean(), (happened, from, isNearlyUsedUp) => {
        let cursor = { id: isNearlyUsedUp ? eventId(from, 65_530) : lastLoggedId(from), seen: from };
        for (const act of happened) {
          const id = act === 'event' ? eventId(cursor.seen + 1, 0) : transientEventId(cursor.id, cursor.seen);
          const isUsedUp = cursor.id === eventId(cursor.seen + 1, 0) - 1;
          if (act === 'nothing for it') cursor = { id: cursor.id, seen: cursor.seen + 1 };
          else {
            expect(id).toBeGreaterThanOrEqual(isUsedUp ? cursor.id : cursor.id + 1);
            cursor = { id, seen: act === 'event' ? cursor.seen + 1 : cursor.seen };
          }
          expect(cursor.id).toBeLessThan(eventId(cursor.seen + 1, 0));
          // Another process continues from the id alone: it reads everything after it and nothing before it.
          if (act === 'transient') expect(cursorOf(id, at(0))).toEqual(cursor);
        }
      }),
    );
  });
});

describe('a cursor', () => {
  it.each([-1, 0, eventId(4, 9), lastLoggedId(5)])(
    'from before the registration (%d) counts as the registration',
    (id) => {
      expect(cursorOf(id, at(5))).toEqual({ id: lastLoggedId(5), seen: 5 });
    },
  );

  it('at a heartbeat or at the end of a position continues with the next position', () => {
    expect(cursorOf(lastLoggedId(9), at(5))).toEqual({ id: lastLoggedId(9), seen: 9 });
    expect(cursorOf(eventId(9, 40_000), at(5))).toEqual({ id: eventId(9, 40_000), seen: 9 });
  });

  it('inside a position continues with the rest of that position', () => {
    expect(cursorOf(eventId(9, 2), at(5))).toEqual({ id: eventId(9, 2), seen: 8 });
  });

  it('advances as far as an earlier poll, from the same place or before, found nothing', () => {
    const cursor = cursorOf(eventId(9, 2), at(5));
    expect(further(cursor, { id: eventId(9, 2), seen: at(30) })).toEqual({ id: eventId(9, 2), seen: 30 });
    expect(further(cursor, { id: eventId(8, 0), seen: at(30) })).toEqual({ id: eventId(9, 2), seen: 30 });
  });

  it('does not advance by a poll that began later, or that saw less', () => {
    const cursor = cursorOf(eventId(9, 2), at(5));
    expect(further(cursor, { id: eventId(9, 3), seen: at(30) })).toBe(cursor);
    expect(further(cursor, { id: eventId(2, 0), seen: at(3) })).toBe(cursor);
  });
});
