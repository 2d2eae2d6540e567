import { defineProjection, on } from '@annals/kernel';
import { messageIdAt } from '@annals/kernel/domain';
import { ContentEdited, MessageSent, MessagesDeleted } from '../../domain/events';
import { MessageRestored } from '../../domain/restored-event';

/** Links from messages to uploaded files, each from one position to another. */
export const fileReferencesView = defineProjection({
  name: 'file_references',
  version: 2,
  lifecycle: 'inline',
  tables: {
    file_references: {
      columns: {
        message_id: 'int8',
        file_id: 'int8',
        from_position: 'int8',
        /** Null while the text links to the file. */
        to_position: 'int8',
      },
      key: ['message_id', 'file_id', 'from_position'],
      indexes: [{ on: ['file_id', 'message_id'] }],
    },
  },
  handlers: [
    on(MessageSent, ({ data: { files = [] }, position }, rows) => {
      const message_id = messageIdAt(position);
      for (const file_id of files) {
        rows.insert('file_references', { message_id, file_id, from_position: position, to_position: null });
      }
    }),
    on(ContentEdited, ({ data: { messageId: message_id, files = [] }, position }, rows) => {
      rows.update('file_references', { message_id, to_position: null }, { to_position: position });
      for (const file_id of files) {
        rows.insert('file_references', { message_id, file_id, from_position: position, to_position: null });
      }
    }),
    on(MessagesDeleted, ({ data, position }, rows) => {
      for (const message_id of data.messageIds) {
        rows.update('file_references', { message_id, to_position: null }, { to_position: position });
      }
    }),
    on(MessageRestored, ({ data: { messageId: message_id, files = [] }, position }, rows) => {
      for (const file_id of files) {
        rows.insert('file_references', { message_id, file_id, from_position: position, to_position: null });
      }
    }),
  ],
});
