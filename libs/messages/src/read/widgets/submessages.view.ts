import { defineProjection, on } from '@annals/kernel';
import { WIDGET_EVENTS } from '../../domain/widgets/widget-events';

/**
 * The changes of widgets. They stay when the message is deleted, as nobody can read them then and it may be restored. Their
 * contents are in the log only.
 */
export const submessagesView = defineProjection({
  name: 'submessages',
  version: 1,
  lifecycle: 'inline',
  tables: {
    submessages: {
      columns: { message_id: 'int8', position: 'int8', user_id: 'int4' },
      key: ['message_id', 'position'],
    },
  },
  handlers: WIDGET_EVENTS.map((definition) =>
    on(definition, ({ data, position }, rows) =>
      rows.insert('submessages', { message_id: data.messageId, position, user_id: data.userId }),
    ),
  ),
});
