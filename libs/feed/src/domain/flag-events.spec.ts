import type { WireEvent } from './flag-events';
import { mergeFlagEvents } from './flag-events';

const flags = (id: number, op: string, flag: string, messages: number[], all = false): WireEvent => ({
  type: 'update_message_flags',
  op,
  operation: op,
  flag,
  messages,
  all,
  id,
});
const other = (id: number): WireEvent => ({ type: 'message', id });

describe('flag events that wait for a client', () => {
  it('are merged into the newest event of the same operation and flag, which keeps its position', () => {
    expect(
      mergeFlagEvents([flags(1, 'add', 'read', [5]), other(2), flags(3, 'add', 'read', [7, 6]), other(4)]),
    ).toEqual([other(2), flags(3, 'add', 'read', [5, 7, 6]), other(4)]);
  });

  it('are joined for each flag by itself', () => {
    expect(
      mergeFlagEvents([
        flags(1, 'add', 'read', [5]),
        flags(2, 'add', 'starred', [5]),
        flags(3, 'add', 'read', [6]),
        flags(4, 'add', 'starred', [6]),
      ]),
    ).toEqual([flags(3, 'add', 'read', [5, 6]), flags(4, 'add', 'starred', [5, 6])]);
  });

  it('keep their order around an opposite change of the same flag', () => {
    const events = [
      flags(1, 'add', 'starred', [5]),
      flags(2, 'remove', 'starred', [5]),
      flags(3, 'add', 'starred', [6]),
    ];
    expect(mergeFlagEvents(events)).toEqual(events);
  });

  it('are not joined if all messages are marked, or if messages become unread', () => {
    const events = [
      flags(1, 'add', 'read', [], true),
      flags(2, 'add', 'read', [5]),
      flags(3, 'remove', 'read', [5]),
      flags(4, 'remove', 'read', [6]),
    ];
    expect(mergeFlagEvents(events)).toEqual(events);
  });

  it('join also removals, for other flags', () => {
    expect(mergeFlagEvents([flags(1, 'remove', 'starred', [5]), flags(2, 'remove', 'starred', [6])])).toEqual([
      flags(2, 'remove', 'starred', [5, 6]),
    ]);
  });
});
