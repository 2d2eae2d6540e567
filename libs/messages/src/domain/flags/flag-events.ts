import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, t, userId, words } from '@annals/kernel/domain';

/** Flags that users set and remove (contract/messages.md section 8). */
export const EDITABLE_FLAGS = ['read', 'starred', 'collapsed'] as const;
export type EditableFlag = (typeof EDITABLE_FLAGS)[number];

export const FLAG_OPERATIONS = ['add', 'remove'] as const;
export type FlagOperation = (typeof FLAG_OPERATIONS)[number];

/** Stream `reading-{user}`: the user added a flag to messages, or removed it from them. */
export const FlagsChanged = defineEvent('messages.FlagsChanged', {
  data: t.Object({
    userId,
    flag: words(...EDITABLE_FLAGS),
    op: words(...FLAG_OPERATIONS),
    /** The messages whose flag really changed, as `encodeIds` writes them. */
    ids: t.String({ minLength: 1 }),
  }),
  subjects: ({ userId }) => [['user', userId]],
});
export type FlagsChanged = FactOf<typeof FlagsChanged>;

/** In the same stream: the user has read all messages up to the position of this event. */
export const AllMarkedRead = defineEvent('messages.AllMarkedRead', {
  data: t.Object({ userId }),
  subjects: ({ userId }) => [['user', userId]],
});
export type AllMarkedRead = FactOf<typeof AllMarkedRead>;

export type FlagEvent = FlagsChanged | AllMarkedRead;

export const readingStream = (user: number): string => `reading-${user}`;
