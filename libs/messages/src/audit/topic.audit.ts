import type { EventDescription, NamedThing, SentencePart } from '@annals/kernel';
import { counted, describeEvent, thing, wordsOf } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { FirstMessageChanged, MessagesMoved, TopicEnded, TopicMoved, TopicStarted } from '../domain/events';

const { channel, topic, message } = thing;
const NEW_NAME = { bare: true, instead: 'another name' } as const;

const started = describeEvent(TopicStarted, {
  meaning: 'A topic began with its first message.',
  commands: ['SendMessage', 'EditMessage', 'UndoAct'],
  sentence: ({ data: { topicId, channelId } }) => ['started ', topic(topicId), ' in ', channel(channelId)],
  begins: (event) => [
    { property: 'topic', after: wordsOf(event, ({ name }) => name) },
    { property: 'channel_id', after: event.data.channelId },
  ],
  names: (event) => [{ thing: topic(event.data.topicId), name: wordsOf(event, ({ name }) => name) }],
});

/** " from #general to #design", or " in #general" for a move within a channel. */
const way = (from: ChannelId, to: ChannelId): SentencePart[] =>
  from === to ? [' in ', channel(from)] : [' from ', channel(from), ' to ', channel(to)];

const moved = describeEvent(TopicMoved, {
  meaning: 'A whole topic got another name, another channel, or both, with all its messages.',
  commands: ['EditMessage', 'UndoAct'],
  sentence: (event) => {
    const { topicId, from, to, messages } = event.data;
    const isRenamed = wordsOf(event, ({ name, previousName }) => name !== previousName) ?? false;
    const before: NamedThing = topic(topicId, { before: true });
    const size = ` (${counted(messages, 'message')})`;
    if (from === to) return ['renamed ', before, ...way(from, to), ' to ', topic(topicId, NEW_NAME), size];
    const name = isRenamed ? [' as ', topic(topicId, NEW_NAME)] : [];
    return ['moved ', before, ...way(from, to), ...name, size];
  },
  changes: (event) => {
    const { topicId, from, to } = event.data;
    const names = wordsOf(event, ({ name, previousName }) => ({ before: previousName, after: name }));
    const isRenamed = names === null ? from === to : names.before !== names.after;
    return [
      ...(from === to ? [] : [{ property: 'channel_id', before: from, after: to }]),
      ...(isRenamed
        ? [
            {
              property: 'topic',
              before: names?.before ?? null,
              after: names?.after ?? null,
              nameOf: topic(topicId),
            },
          ]
        : []),
    ];
  },
  names: (event) => [{ thing: topic(event.data.topicId), name: wordsOf(event, ({ name }) => name) }],
});

const messagesMoved = describeEvent(MessagesMoved, {
  meaning: 'Some messages of a topic moved to another one.',
  commands: ['EditMessage', 'UndoAct'],
  sentence: ({ data: { from, to, messageIds } }) => [
    `moved ${counted(messageIds.length, 'message')} from `,
    topic(from.topicId),
    ...(from.channelId === to.channelId ? [] : [' in ', channel(from.channelId)]),
    ' to ',
    topic(to.topicId, { instead: 'another topic' }),
    ' in ',
    channel(to.channelId),
  ],
  changes: ({ data: { from, to } }) => [
    ...(from.channelId === to.channelId
      ? []
      : [{ property: 'channel_id', before: from.channelId, after: to.channelId }]),
    { property: 'topic_id', before: from.topicId, after: to.topicId },
  ],
});

const ended = describeEvent(TopicEnded, {
  meaning: 'The last message of a topic was deleted. A later message with the same name starts another topic.',
  commands: ['DeleteMessage', 'DeleteTopic', 'OrphanedMessages', 'UndoAct'],
  sentence: ({ data: { topicId, channelId } }) => [
    'ended ',
    topic(topicId),
    ' in ',
    channel(channelId),
    ', which has no message any more',
  ],
});

const firstMessage = describeEvent(FirstMessageChanged, {
  meaning: 'The oldest message of a channel is another one, because it was moved or deleted.',
  commands: ['EditMessage', 'DeleteMessage', 'DeleteTopic', 'OrphanedMessages', 'UndoAct'],
  sentence: ({ data: { channelId, messageId } }) =>
    messageId === null
      ? ['left ', channel(channelId), ' without a message']
      : ['made ', message(messageId), ' the oldest message of ', channel(channelId)],
  changes: ({ data }) => [{ property: 'first_message_id', after: data.messageId }],
});

export const topicDescriptions: readonly EventDescription[] = [started, moved, messagesMoved, ended, firstMessage];
