import { defineContext } from '@annals/kernel';
import type { ChannelId, MessageId, Position, TopicId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../../test/support/server/kernel';
import { DisownedDeleted, FirstMessageChanged, MESSAGES_EVENTS, MessagesMoved, TopicMoved } from '../../domain/events';
import { MessageRestored } from '../../domain/restored-event';
import { send } from '../../domain/message/message';
import { REFILED_AT_MOST, startTopic } from '../../domain/topic';
import { messagesView } from './messages.view';
import { conversationsView, topicsView } from './places.view';

const [here, there] = [3, 5] as [ChannelId, ChannelId];
const [lunch, other] = [4, 6] as [TopicId, TopicId];
const mentions = { userIds: [], groupIds: [], channelWildcard: false, topicWildcard: false };
const facts = { mentions, hasLink: false, hasImage: false, hasAttachment: false, isMe: false };
const sent = () =>
  send({
    place: { channelId: here, topicId: lunch },
    senderId: 1 as UserId,
    text: { words: { content: 'hello' }, facts },
    readBySender: false,
    echo: null,
  });
const input = { messageId: 2 as MessageId, mode: 'change_all' as const };
const words = { name: 'Dinner', previousName: 'Lunch' };

describe('read models of moved messages', () => {
  let test: TestKernel;
  beforeEach(async () => {
    const unhandled = {
      [FirstMessageChanged.type]: 'channels are not here',
      [DisownedDeleted.type]: 'orders to delete are not here',
    };
    const projections = [topicsView, conversationsView, messagesView];
    const events = [...MESSAGES_EVENTS, MessageRestored];
    test = await openTestKernel([defineContext({ name: 'messages', events, projections, unhandled })]);
    const started = startTopic({ topicId: lunch, channelId: here, name: 'Lunch' }, 2 as MessageId);
    await test.state([`topic-${lunch}`, started], ['message-2', sent()], ['message-3', sent()]);
  });
  afterEach(() => test.close());

  const moved = (messages: number) =>
    fact(TopicMoved, { topicId: lunch, from: here, to: there, ...input, messages }, words);

  it('store a small topic under its new channel', async () => {
    await test.state([`topic-${lunch}`, moved(REFILED_AT_MOST)]);
    expect(await test.rows('topics', 'topic_id')).toMatchObject([
      { channel_id: there, name: 'Dinner', name_key: 'dinner', arrived: 0, was_moved: true, filed_elsewhere: false },
    ]);
    const filed = { channel_id: there, sent_channel_id: here, arrived: 4, was_moved: false };
    expect(await test.rows('messages', 'message_id')).toMatchObject([filed, filed]);
    expect(await test.rows('topic_stays', 'topic_id')).toMatchObject([{ topic_id: 4, until: 4, channel_id: here }]);
  });

  it('write one row for a large one', async () => {
    await test.state([`topic-${lunch}`, moved(REFILED_AT_MOST + 1)]);
    expect(await test.rows('topics', 'topic_id')).toMatchObject([
      { channel_id: there, arrived: 4, filed_elsewhere: true },
    ]);
    expect(await test.rows('messages', 'message_id')).toMatchObject([
      { channel_id: here, arrived: 2 },
      { channel_id: here, arrived: 3 },
    ]);
  });

  it('record messages that were moved without their topic', async () => {
    const places = { from: { channelId: here, topicId: lunch }, to: { channelId: here, topicId: other } };
    const data = { ...places, ...input, messageIds: [2] as MessageId[], since: 0 as Position };
    await test.state(
      [`topic-${other}`, startTopic({ topicId: other, channelId: here, name: 'Dinner' }, 2 as MessageId)],
      [`topic-${lunch}`, fact(MessagesMoved, data)],
    );
    expect(await test.rows('messages', 'message_id')).toMatchObject([
      { topic_id: other, channel_id: here, arrived: 2, was_moved: true },
      { topic_id: lunch, was_moved: false },
    ]);
    expect(await test.rows('message_moves', 'message_id')).toMatchObject([
      { message_id: 2, position: 5, topic_id: lunch },
    ]);
  });
});
