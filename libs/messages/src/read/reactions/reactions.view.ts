import { defineProjection, on } from '@annals/kernel';
import { MessagesDeleted } from '../../domain/events';
import { MessageRestored } from '../../domain/restored-event';
import { ReactionAdded, ReactionRemoved } from '../../domain/reaction/reaction-events';
import { nameOf } from '../../domain/reaction/reaction';

/** Reactions, each from one position to another, so that they are known for every position. */
export const reactionsView = defineProjection({
  name: 'reactions',
  version: 2,
  lifecycle: 'inline',
  tables: {
    reactions: {
      columns: {
        message_id: 'int8',
        reaction_type: 'text',
        emoji_code: 'text',
        user_id: 'int4',
        added_position: 'int8',
        /** Null until it is removed. */
        removed_position: 'int8',
        emoji_name: 'text',
      },
      key: ['message_id', 'reaction_type', 'emoji_code', 'user_id', 'added_position'],
      indexes: [{ on: ['user_id', 'message_id'] }],
      sealed: ['emoji_name'],
    },
  },
  handlers: [
    on(ReactionAdded, ({ data, sealed, position }, rows) =>
      rows.insert('reactions', {
        message_id: data.messageId,
        reaction_type: data.reactionType,
        emoji_code: data.emojiCode,
        user_id: data.userId,
        added_position: position,
        removed_position: null,
        emoji_name: nameOf(sealed, data.emojiCode),
      }),
    ),
    on(ReactionRemoved, ({ data, position }, rows) => {
      const { messageId: message_id, userId: user_id, reactionType: reaction_type, emojiCode: emoji_code } = data;
      const there = { message_id, reaction_type, emoji_code, user_id, removed_position: null };
      rows.update('reactions', there, { removed_position: position });
    }),
    on(MessagesDeleted, ({ data, position }, rows) => {
      for (const message_id of data.messageIds) {
        rows.update('reactions', { message_id, removed_position: null }, { removed_position: position });
      }
    }),
    // Those that the deletion removed.
    on(MessageRestored, ({ data: { messageId: message_id, deletedAt } }, rows) =>
      rows.update('reactions', { message_id, removed_position: deletedAt }, { removed_position: null }),
    ),
  ],
});
