import { defineContext } from '@annals/kernel';
import type { ChannelId, ConversationId, GroupId, MessageId, TopicId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { recorded } from '../../../../../test/support/events/recorded-events';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../../test/support/server/kernel';
import { openConversation } from '../../domain/conversation';
import type { MessageContentFacts, Place } from '../../domain/events';
import { ContentEdited, DisownedDeleted, FirstMessageChanged, MESSAGES_EVENTS } from '../../domain/events';
import { MessageRestored } from '../../domain/restored-event';
import { send } from '../../domain/message/message';
import { startTopic } from '../../domain/topic';
import { messagesView } from './messages.view';
import { conversationsView, topicsView } from './places.view';

const [ann, bob] = [1, 2] as [UserId, UserId];
const facts = (different: Partial<MessageContentFacts> = {}): MessageContentFacts => ({
  mentions: { userIds: [], groupIds: [], channelWildcard: false, topicWildcard: false },
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isMe: false,
  ...different,
});
const mentioning = (...userIds: UserId[]) => ({ mentions: { ...facts().mentions, userIds } });
const sent = (place: Place, different: Partial<MessageContentFacts> = {}) => {
  const text = { words: { content: 'hello' }, facts: facts(different) };
  return send({ place, senderId: ann, text, readBySender: true, echo: null });
};
const inTopic: Place = { channelId: 3 as ChannelId, topicId: 4 as TopicId };
const started = startTopic({ ...inTopic, name: 'Lunch' }, 2 as MessageId);

describe('read models of messages', () => {
  let test: TestKernel;
  beforeEach(async () => {
    const events = [...MESSAGES_EVENTS, MessageRestored];
    const unhandled = {
      [FirstMessageChanged.type]: 'channels are not here',
      [DisownedDeleted.type]: 'orders to delete are not here',
    };
    const projections = [topicsView, conversationsView, messagesView];
    test = await openTestKernel([defineContext({ name: 'messages', events, projections, unhandled })]);
  });
  afterEach(() => test.close());

  it('show topics and the messages in them, whose text stays in the log', async () => {
    await test.state(['topic-4', started], ['message-2', sent(inTopic, { hasLink: true })]);
    expect(await test.rows('topics', 'topic_id')).toEqual([
      {
        topic_id: 4,
        channel_id: 3,
        name: 'Lunch',
        name_key: 'lunch',
        arrived: 0,
        was_moved: false,
        filed_elsewhere: false,
      },
    ]);
    const { rows } = await test.kernel.database.pool.query<{ text: string }>(
      'SELECT m::text AS text FROM view.messages m',
    );
    expect(rows[0]?.text).not.toContain('hello');
    expect(await test.rows('messages', 'message_id')).toEqual([
      {
        message_id: 2,
        sender_id: ann,
        channel_id: 3,
        topic_id: 4,
        sent_channel_id: 3,
        conversation_id: null,
        content_position: 2,
        arrived: 2,
        was_moved: false,
        sent_at: test.clock.now(),
        client: 'test',
        is_me: false,
        has_link: true,
        has_image: false,
        has_attachment: false,
        mentioned_groups: null,
        channel_wildcard: false,
        topic_participants: null,
        unread_for: null,
        alerted_users: null,
        read_by: ann,
        edited_at: null,
      },
    ]);
  });

  it('give listeners the id of a topic’s first message', async () => {
    await test.state(['topic-4', started], ['message-2', sent(inTopic)]);
    const [event] = await test.kernel.events.stream(1 as never, 'topic-4');
    expect(event?.data).toEqual({ topicId: 4, channelId: 3, firstMessageId: 2 });
  });

  it('show conversations with their users', async () => {
    const place = { conversationId: 5 as ConversationId, userIds: [ann, bob] };
    const opened = openConversation(null, place.conversationId, place.userIds);
    await test.state(...opened.map((one) => ['conversation-1,2', one] as const), ['message-2', sent(place)]);
    expect(await test.rows('conversation_members', 'user_id')).toEqual([
      { user_id: ann, conversation_id: 5 },
      { user_id: bob, conversation_id: 5 },
    ]);
    expect(await test.rows('messages', 'message_id')).toMatchObject([{ conversation_id: 5, channel_id: null }]);
  });

  it('update position, time and mentions with an edit', async () => {
    await test.state(['topic-4', started], ['message-2', sent(inTopic, mentioning(ann, bob))]);
    test.clock.advance(1000);
    const groups = { ...mentioning(bob).mentions, groupIds: [9 as GroupId] };
    const data = { messageId: 2 as MessageId, ...facts({ mentions: groups, isMe: true }) };
    await test.state(['message-2', fact(ContentEdited, data, { content: '/me waves' })]);
    expect(await test.rows('messages', 'message_id')).toMatchObject([
      {
        message_id: 2,
        content_position: 3,
        arrived: 2,
        was_moved: false,
        is_me: true,
        mentioned_groups: ['9'],
        edited_at: test.clock.now(),
      },
    ]);
    expect(await test.rows('mentions', 'user_id')).toEqual([{ message_id: 2, user_id: bob }]);
    // The users whom it mentioned when it was sent received it, and nobody received it later.
    expect(await test.rows('mentioned_when_sent', 'user_id')).toEqual([
      { message_id: 2, user_id: ann },
      { message_id: 2, user_id: bob },
    ]);
  });

  it('show a placeholder for a topic whose name was erased', () => {
    const rows: unknown[] = [];
    const changes = { insert: (_: string, row: unknown) => rows.push(row) };
    topicsView.handlers.get(started.type)?.({ ...recorded(started), sealed: 'erased' }, changes as never);
    expect(rows).toMatchObject([{ topic_id: 4, channel_id: 3, name: 'topic 4', name_key: 'topic 4' }]);
  });
});
