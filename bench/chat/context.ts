import { defineContext, defineProjection, on } from '@annals/kernel';
import type { Fact, FactOf, Recorded, TopicId } from '@annals/kernel/domain';
import { channelId, defineAggregate, defineEvent, fact, t, topicId, userId } from '@annals/kernel/domain';

/**
 * A context with the log load of users who send messages, and nothing more: its rows and events have the shape of the
 * real ones, and its decisions cost nothing. So a measurement with it is one of the log, and remains comparable while
 * the real contexts grow.
 */
const AccountOpened = defineEvent('bench.AccountOpened', {
  data: t.Object({ userId }),
  subjects: (data) => [['user', data.userId]],
});

export const TopicStarted = defineEvent('bench.TopicStarted', {
  data: t.Object({ topicId, channelId }),
  sealed: t.Object({ name: t.String() }),
  subjects: (data) => [['topic', data.topicId]],
});
type TopicStarted = FactOf<typeof TopicStarted>;

export const MessageSent = defineEvent('bench.MessageSent', {
  data: t.Object({
    channelId,
    topicId,
    senderId: userId,
    mentionedUserIds: t.Array(userId),
    hasLink: t.Boolean(),
    hasImage: t.Boolean(),
    hasAttachment: t.Boolean(),
    isMe: t.Boolean(),
  }),
  sealed: t.Object({ content: t.String() }),
  subjects: (data, position) => [
    ['message', position],
    ['topic', data.topicId],
    ['user', data.senderId],
  ],
});
type MessageSent = FactOf<typeof MessageSent>;

/** The facts about a topic for a sender: it exists, and does not change until the message is stored. */
export const topic = defineAggregate<{ started: boolean }, TopicStarted, TopicId>('topic', { started: false }, () => ({
  started: true,
}));

export const accountOpened = (user: FactOf<typeof AccountOpened>['data']['userId']): Fact =>
  fact(AccountOpened, { userId: user });

/** Names are unique here, so that one command can be made that PostgreSQL refuses. */
const topics = defineProjection({
  name: 'bench_topics',
  version: 1,
  lifecycle: 'inline',
  tables: {
    bench_topics: {
      columns: { topic_id: 'int8', channel_id: 'int8', name: 'text' },
      key: ['topic_id'],
      indexes: [{ on: ['channel_id', 'name'], unique: true }],
      sealed: ['name'],
    },
  },
  handlers: [
    on(TopicStarted, ({ data, sealed }: Recorded<TopicStarted>, rows) =>
      rows.insert('bench_topics', {
        topic_id: data.topicId,
        channel_id: data.channelId,
        name: sealed === 'erased' ? `erased ${data.topicId}` : sealed.name,
      }),
    ),
  ],
});

export const messages = defineProjection({
  name: 'bench_messages',
  version: 1,
  lifecycle: 'inline',
  tables: {
    bench_messages: {
      columns: {
        message_id: 'int8',
        sender_id: 'int8',
        channel_id: 'int8',
        topic_id: 'int8',
        content_position: 'int8',
        arrived: 'int8',
        sent_at: 'int8',
        client: 'text',
        has_link: 'bool',
        has_image: 'bool',
        has_attachment: 'bool',
        is_me: 'bool',
        mentioned: 'int8[]',
      },
      key: ['message_id'],
      indexes: [{ on: ['channel_id', 'message_id'] }, { on: ['topic_id', 'message_id'] }],
    },
  },
  handlers: [
    on(MessageSent, ({ position, at, client, data }: Recorded<MessageSent>, rows) =>
      rows.insert('bench_messages', {
        message_id: position,
        sender_id: data.senderId,
        channel_id: data.channelId,
        topic_id: data.topicId,
        content_position: position,
        arrived: position,
        sent_at: at,
        client,
        has_link: data.hasLink,
        has_image: data.hasImage,
        has_attachment: data.hasAttachment,
        is_me: data.isMe,
        mentioned: data.mentionedUserIds,
      }),
    ),
  ],
});

export const chatContext = defineContext({
  name: 'bench',
  events: [AccountOpened, TopicStarted, MessageSent],
  projections: [topics, messages],
  unhandled: { 'bench.AccountOpened': 'accounts are here only to be rested on' },
});
