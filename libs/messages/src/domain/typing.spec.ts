import type { ChannelId, MessageId, UserId } from '@annals/kernel/domain';
import type { Typing } from './typing';
import { MAX_PARTICIPANTS_NOTIFIED } from './typing';

/** The capacity of one wake-up, without the envelope of a signal. */
const ROOM = 6_800;

describe('a signal of typing', () => {
  const longest = (n: number) => (2 ** 31 - 1 - n) as UserId;
  const people = Array.from({ length: MAX_PARTICIPANTS_NOTIFIED }, (_, n) => longest(n));
  const common = { op: 'start', senderId: longest(0), messageId: Number.MAX_SAFE_INTEGER as MessageId } as const;

  it.each<[string, Typing]>([
    ['people', { ...common, place: { userIds: people } }],
    ['a topic', { ...common, place: { channelId: Number.MAX_SAFE_INTEGER as ChannelId, topic: '🎈'.repeat(60) } }],
  ])('to the largest number of users fits into one wake-up: %s', (_, payload) => {
    const signal = { type: 'typing_edit_message', audience: { kind: 'users', users: people }, payload };
    expect(Buffer.byteLength(JSON.stringify(signal))).toBeLessThan(ROOM);
  });
});
