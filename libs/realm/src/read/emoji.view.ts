import { defineProjection, on } from '@annals/kernel';
import { EmojiAdded, EmojiDeactivated } from '../domain/emoji-events';

/** Custom emoji, also deactivated ones. */
export const emojiView = defineProjection({
  name: 'realm_emoji',
  version: 3,
  lifecycle: 'inline',
  tables: {
    realm_emoji: {
      columns: {
        emoji_id: 'int4',
        name: 'text',
        author_id: 'int4',
        file: 'text',
        size: 'int4',
        /** Null for an image without animation. */
        still_file: 'text',
        still_size: 'int4',
        added_position: 'int8',
        /** Null while it can be used. */
        deactivated_position: 'int8',
      },
      key: ['emoji_id'],
      indexes: [{ on: ['name'], where: 'deactivated_position IS NULL' }, { on: ['file'] }, { on: ['still_file'] }],
      sealed: ['name'],
    },
  },
  handlers: [
    on(EmojiAdded, ({ data, sealed, position }, rows) =>
      rows.insert('realm_emoji', {
        emoji_id: data.emojiId,
        name: sealed === 'erased' ? `emoji-${data.emojiId}` : sealed.name,
        author_id: data.authorId,
        file: data.file,
        size: data.size,
        still_file: data.stillFile ?? null,
        still_size: data.stillSize ?? null,
        added_position: position,
        deactivated_position: null,
      }),
    ),
    on(EmojiDeactivated, ({ data, position }, rows) =>
      rows.update('realm_emoji', { emoji_id: data.emojiId }, { deactivated_position: position }),
    ),
  ],
});
