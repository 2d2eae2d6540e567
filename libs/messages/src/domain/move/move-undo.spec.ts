import type { MessageId, TopicId } from '@annals/kernel/domain';
import { remainsOfMove } from './move-undo';

const ids = (...numbers: number[]) => numbers as MessageId[];
const [plan, design] = [1, 2] as [TopicId, TopicId];
const now = (topics: Record<number, TopicId>) =>
  new Map(Object.entries(topics).map(([id, topic]) => [Number(id) as MessageId, topic]));

describe('what remains of a move', () => {
  it('are the messages in the topic to which it brought them, ascending', () => {
    const moves = [
      { messageIds: ids(7, 9), topicIds: new Set([plan]) },
      { messageIds: ids(4, 8), topicIds: new Set([design]) },
    ];
    const topicOf = now({ 4: design, 7: plan, 8: plan });
    expect(remainsOfMove(moves, topicOf)).toEqual({ inPlace: [4, 7], movedSince: [8], deletedSince: [9] });
  });

  it('is nothing if the topic has another name or channel since', () => {
    const moves = [{ messageIds: ids(7, 9), topicIds: new Set<TopicId>() }];
    expect(remainsOfMove(moves, now({ 7: plan }))).toEqual({ inPlace: [], movedSince: [7], deletedSince: [9] });
  });
});
