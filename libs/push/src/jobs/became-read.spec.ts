import type { Position, Recorded } from '@annals/kernel/domain';
import { becameRead } from './became-read';

const event = (type: string, data: object) => ({ type, position: 90 as Position, data }) as unknown as Recorded;
const flags = (flag: string, op: string) => event('messages.FlagsChanged', { userId: 3, flag, op, ids: '2s-2,12' });

describe('the messages that an event may have made read', () => {
  it('are the messages that a user marked as read', () => {
    expect(becameRead(flags('read', 'add'))).toEqual({ users: [3], channelId: null, first: 100, last: 140 });
    expect(becameRead(flags('read', 'remove'))).toBeNull();
    expect(becameRead(flags('starred', 'add'))).toBeNull();
  });

  it('are all earlier messages of a user who marked all as read', () => {
    const marked = event('messages.AllMarkedRead', { userId: 3 });
    expect(becameRead(marked)).toEqual({ users: [3], channelId: null, first: 1, last: 90 });
  });

  it('are the messages of a channel for users who unsubscribed from it', () => {
    const left = event('channels.Unsubscribed', { channelId: 7, userIds: [3, 4] });
    expect(becameRead(left)).toEqual({ users: [3, 4], channelId: 7, first: 1, last: 90 });
  });

  it('are the messages of a topic that was moved to another channel, or to which messages were moved from another channel', () => {
    expect(becameRead(event('messages.TopicMoved', { topicId: 5, from: 7, to: 8 }))).toEqual({ topicId: 5 });
    expect(becameRead(event('messages.TopicMoved', { topicId: 5, from: 7, to: 7 }))).toBeNull();
    const moved = (from: number, to: number) =>
      event('messages.MessagesMoved', { from: { channelId: from, topicId: 5 }, to: { channelId: to, topicId: 6 } });
    expect(becameRead(moved(7, 8))).toEqual({ topicId: 6 });
    expect(becameRead(moved(7, 7))).toBeNull();
  });

  it('is nothing for other events', () => {
    expect(becameRead(event('messages.MessageSent', {}))).toBeNull();
  });
});
