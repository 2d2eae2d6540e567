import type { ChannelId, TopicId } from '@annals/kernel/domain';
import { hottest } from './hot-topics';

const topic = (topicId: number, senders: number, messages: number) => ({
  ...{ topicId: topicId as TopicId, channelId: 1 as ChannelId, newest: [] },
  ...{ senders, messages },
});
const idsOf = (...topics: ReturnType<typeof topic>[]) => hottest(topics).map(({ topicId }) => topicId);

describe('the topics of a digest', () => {
  it('are two with the most people, and then those with the most messages', () => {
    expect(idsOf(topic(1, 1, 90), topic(2, 5, 10), topic(3, 1, 80), topic(4, 4, 4), topic(5, 2, 3))).toEqual([
      2, 4, 1, 3,
    ]);
  });

  it('are all of them if there are few', () => {
    expect(idsOf(topic(1, 1, 1))).toEqual([1]);
    expect(idsOf()).toEqual([]);
  });
});
