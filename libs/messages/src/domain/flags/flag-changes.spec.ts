import type { ChannelId, MessageId, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { FlaggedNow } from './flag-changes';
import { changedFlags, flagsChanged } from './flag-changes';

const message = (id: number, more: Partial<FlaggedNow> = {}): FlaggedNow => ({
  id: id as MessageId,
  channelId: 7 as ChannelId,
  isSubscribed: true,
  isRead: false,
  isStarred: false,
  isCollapsed: false,
  ...more,
});

describe('a change of flags', () => {
  it.each([
    ['add', 'read', { isRead: true }],
    ['remove', 'read', { isRead: false }],
    ['add', 'starred', { isStarred: true }],
    ['remove', 'starred', { isStarred: false }],
    ['add', 'collapsed', { isCollapsed: true }],
    ['remove', 'collapsed', { isCollapsed: false }],
  ] as const)('to %s %s leaves out messages that are so already', (op, flag, already) => {
    const [name, value] = Object.entries(already)[0] ?? [];
    const visible = [message(9, { [name ?? '']: !value }), message(3, { [name ?? '']: !value }), message(5, already)];
    expect(changedFlags({ op, flag }, [9, 3, 5], visible).changed).toEqual([3, 9]);
  });

  it('leaves messages read in channels without a subscription, and reports these', () => {
    const elsewhere = { isSubscribed: false, isRead: true, channelId: 4 as ChannelId };
    const direct = message(2, { channelId: null, isSubscribed: false, isRead: true });
    const change = changedFlags({ op: 'remove', flag: 'read' }, [1, 2], [message(1, elsewhere), direct]);
    expect(change).toEqual({ changed: [2], ignoredChannels: [4] });
    expect(changedFlags({ op: 'add', flag: 'starred' }, [1], [message(1, elsewhere)]).changed).toEqual([1]);
  });

  it('is refused for messages that the user cannot see if it gives copies of them, and otherwise leaves them out', () => {
    for (const request of [
      { op: 'remove', flag: 'read' },
      { op: 'add', flag: 'starred' },
      { op: 'add', flag: 'collapsed' },
    ] as const) {
      expect(() => changedFlags(request, [1, 2], [message(1)])).toThrow(Rejected);
      expect(() => changedFlags(request, [1, 1], [message(1)])).not.toThrow();
    }
    for (const request of [
      { op: 'add', flag: 'read' },
      { op: 'remove', flag: 'starred' },
    ] as const) {
      expect(() => changedFlags(request, [1, 2], [message(1)])).not.toThrow();
    }
  });

  it('is one event, and none when nothing changes', () => {
    const request = { op: 'add', flag: 'read' } as const;
    expect(flagsChanged(7 as UserId, request, [])).toEqual([]);
    expect(flagsChanged(7 as UserId, request, [35, 36] as MessageId[])).toEqual([
      { type: 'messages.FlagsChanged', data: { userId: 7, flag: 'read', op: 'add', ids: 'z-1' }, sealed: null },
    ]);
  });
});
