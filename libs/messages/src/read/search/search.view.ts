import type { RowChanges } from '@annals/kernel';
import { defineProjection, on } from '@annals/kernel';
import type { MessageId, Position, TopicId } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import { ContentEdited, MessageSent, MessagesDeleted, TopicEnded, TopicMoved, TopicStarted } from '../../domain/events';
import { MessageRestored } from '../../domain/restored-event';
import { configurationOf } from './languages';
import { wordsIn } from './words';

/**
 * The words of texts and topic names, as PostgreSQL searches them. A row counts only while its position is that of the present
 * text or name, so what was edited, deleted or erased is not found even before the row has changed.
 */
export const searchView = defineProjection({
  name: 'search',
  version: 2,
  lifecycle: 'background',
  tables: {
    message_words: {
      columns: {
        message_id: 'int8',
        /** Of the event that holds the text. */
        position: 'int8',
        words: 'tsvector',
      },
      key: ['message_id'],
      indexes: [{ on: ['words'], method: 'gin' }],
      sealed: ['words'],
    },
    topic_words: {
      columns: {
        topic_id: 'int4',
        /** Of the event that gave the topic its name. */
        position: 'int8',
        words: 'tsvector',
      },
      key: ['topic_id'],
      indexes: [{ on: ['words'], method: 'gin' }],
      sealed: ['words'],
    },
    /** Text search configurations with which words of the organization were found. */
    search_configurations: {
      columns: { configuration: 'text' },
      key: ['configuration'],
    },
  },
  handlers: [
    on(MessageSent, ({ data, sealed, position }, rows) => {
      write(rows, messageWords(messageIdAt(position)), data, position, sealed === 'erased' ? null : sealed.content);
    }),
    on(ContentEdited, ({ data, sealed, position }, rows) => {
      write(rows, messageWords(data.messageId), data, position, sealed === 'erased' ? null : sealed.content);
    }),
    on(MessagesDeleted, ({ data }, rows) => {
      for (const id of data.messageIds) rows.delete('message_words', { message_id: id });
    }),
    on(MessageRestored, ({ data, sealed }, rows) => {
      const position = data.contentPosition as Position;
      write(rows, messageWords(data.messageId), data, position, sealed === 'erased' ? null : sealed.content);
    }),
    on(TopicStarted, ({ data, sealed, position }, rows) => {
      write(rows, topicWords(data.topicId), data, position, sealed === 'erased' ? null : sealed.name);
    }),
    on(TopicMoved, ({ data, sealed, position }, rows) => {
      write(rows, topicWords(data.topicId), data, position, sealed === 'erased' ? null : sealed.name);
    }),
    on(TopicEnded, ({ data }, rows) => rows.delete('topic_words', { topic_id: data.topicId })),
  ],
});

interface Target {
  readonly table: 'message_words' | 'topic_words';
  readonly key: Readonly<Record<string, number>>;
}

const messageWords = (id: MessageId): Target => ({ table: 'message_words', key: { message_id: id } });
const topicWords = (id: TopicId): Target => ({ table: 'topic_words', key: { topic_id: id } });

/** @param text null after it was erased: a replay then has no words to store */
function write(
  rows: RowChanges,
  { table, key }: Target,
  { language }: { readonly language?: string },
  position: Position,
  text: string | null,
): void {
  const configuration = configurationOf(language);
  rows.insert('search_configurations', { configuration });
  if (text === null) rows.delete(table, key);
  else rows.upsert(table, { ...key, position, words: { configuration, text: wordsIn(text).join(' ') } });
}
