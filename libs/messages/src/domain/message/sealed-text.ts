import type { Static } from '@annals/kernel/domain';
import { channelId, groupId, messageId, t, userId } from '@annals/kernel/domain';

/**
 * A text and the meaning of its names for the author when it was written. So it reads the same forever, also after
 * users are renamed or deactivated.
 */
export const sealedText = t.Object({
  content: t.String(),
  names: t.Optional(
    t.Object({
      users: t.Array(
        t.Object({
          /** As written: a name, an id, or both. */
          name: t.Optional(t.String()),
          id: t.Optional(t.Integer()),
          userId,
          fullName: t.String(),
        }),
      ),
      groups: t.Array(t.Object({ written: t.String(), groupId, name: t.String() })),
      channels: t.Array(t.Object({ written: t.String(), channelId, name: t.String() })),
      /**
       * Topics that it links to, each with a message that the author could read: the link finds the topic by it after a
       * move. Topics without one are left out.
       */
      topics: t.Optional(t.Array(t.Object({ channelId, written: t.String(), messageId }))),
      /** Custom emoji, each with the last part of the URL of its image. */
      emoji: t.Optional(t.Array(t.Object({ name: t.String(), file: t.String() }))),
      /**
       * The table of the names of Unicode emoji: 1 is that of Zulip. Left out in texts whose names mean the same in the
       * earlier table, and in all texts that were written with that one.
       */
      emojiTable: t.Optional(t.Literal(1)),
      /** Emoticons like `:)` are emoji, as the author chose (`translate_emoticons`). */
      emoticons: t.Optional(t.Literal(true)),
      /** Texts that linkifiers of the organization made links, in the order of the linkifiers. */
      links: t.Optional(t.Array(t.Object({ written: t.String(), url: t.String() }))),
      /** The address of the organization, to which the text has links. */
      ownUrl: t.Optional(t.String()),
      /** The language of blocks of code without one (`default_code_block_language`). */
      codeLanguage: t.Optional(t.String()),
    }),
  ),
});
export type SealedText = Static<typeof sealedText>;
export type WrittenNames = NonNullable<SealedText['names']>;
