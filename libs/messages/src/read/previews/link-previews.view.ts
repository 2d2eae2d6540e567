import { defineProjection, on } from '@annals/kernel';
import { LinksPreviewed } from '../../domain/previews/preview';

/** Where the log has what pages say that a text links to. */
export const linkPreviewsView = defineProjection({
  name: 'link_previews',
  version: 1,
  lifecycle: 'inline',
  tables: {
    link_previews: {
      columns: {
        message_id: 'int8',
        /** Position of the event with the text. */
        content_position: 'int8',
        /** Of the event with the previews. */
        preview_position: 'int8',
      },
      key: ['message_id'],
    },
  },
  handlers: [
    on(LinksPreviewed, ({ data: { messageId, contentPosition }, position }, rows) =>
      rows.upsert('link_previews', {
        message_id: messageId,
        content_position: contentPosition,
        preview_position: position,
      }),
    ),
  ],
});
