import type { FactOf } from '@annals/kernel/domain';
import { count, defineEvent, t, userId } from '@annals/kernel/domain';

/** Stream `emoji-{id}`: the organization added a custom emoji. */
export const EmojiAdded = defineEvent('realm.EmojiAdded', {
  data: t.Object({
    emojiId: t.Integer({ minimum: 1 }),
    authorId: userId,
    /** The last part of the URL of its image. The bytes are stored under `emojiKey`. */
    file: t.String(),
    /** Size of the image in bytes. */
    size: count,
    /** The same of a still image for an animated one. Left out for others, and before there were any. */
    stillFile: t.Optional(t.String()),
    stillSize: t.Optional(count),
  }),
  sealed: t.Object({ name: t.String() }),
  subjects: ({ emojiId, authorId }) => [
    ['emoji', emojiId],
    ['user', authorId],
  ],
});
export type EmojiAdded = FactOf<typeof EmojiAdded>;

/** In the same stream: the emoji is deactivated. It is still shown where it was used. */
export const EmojiDeactivated = defineEvent('realm.EmojiDeactivated', {
  data: t.Object({ emojiId: t.Integer({ minimum: 1 }) }),
  subjects: ({ emojiId }) => [['emoji', emojiId]],
});
export type EmojiDeactivated = FactOf<typeof EmojiDeactivated>;

export type EmojiEvent = EmojiAdded | EmojiDeactivated;
