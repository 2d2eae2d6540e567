import { defineProjection, on } from '@annals/kernel';
import { MessagesDisowned } from '@annals/users';
import { DisownedDeleted } from '../../domain/events';

/** Orders of deleted accounts to delete their messages, until they are done. */
export const orphanedView = defineProjection({
  name: 'disowned',
  version: 1,
  lifecycle: 'inline',
  tables: {
    disowned_messages: {
      columns: {
        /** Position of the order. */
        position: 'int8',
        sender_id: 'int8',
        in_public_channels: 'bool',
        in_private_channels: 'bool',
        direct: 'bool',
      },
      key: ['position'],
    },
  },
  handlers: [
    on(MessagesDisowned, ({ data: { userId, inPublicChannels, inPrivateChannels, direct }, position }, rows) =>
      rows.insert('disowned_messages', {
        position,
        sender_id: userId,
        in_public_channels: inPublicChannels,
        in_private_channels: inPrivateChannels,
        direct,
      }),
    ),
    on(DisownedDeleted, ({ data: { order } }, rows) => rows.delete('disowned_messages', { position: order })),
  ],
});
