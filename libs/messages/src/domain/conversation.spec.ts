import type { ConversationId, UserId } from '@annals/kernel/domain';
import { conversationAggregate, conversationKey, openConversation, participants } from './conversation';

const ids = (...all: number[]) => all as UserId[];
const digest = (text: string) => `d${text.length}`;

it('is the same for the same users, whatever the sender and order', () => {
  expect(participants(2 as UserId, ids(10, 1, 2, 10))).toEqual([1, 2, 10]);
  expect(participants(2 as UserId, [])).toEqual([2]);
});

it('has a stream named by its users, or by their digest when there are many', () => {
  expect(conversationAggregate.stream(conversationKey(ids(1, 2, 10), digest))).toBe('conversation-1,2,10');
  const many = ids(...Array.from({ length: 80 }, (_, n) => n + 100));
  expect(conversationKey(many, digest)).toBe('d319');
});

it('is opened once', () => {
  const id = 7 as ConversationId;
  expect(openConversation(null, id, ids(1, 2))).toEqual([
    { type: 'messages.ConversationOpened', data: { conversationId: 7, userIds: [1, 2] }, sealed: null },
  ]);
  expect(openConversation({ id }, 8 as ConversationId, ids(1, 2))).toEqual([]);
});
