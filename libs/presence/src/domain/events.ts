import type { FactOf } from '@annals/kernel/domain';
import { EMOJI_TYPES, defineEvent, nullable, t, userId } from '@annals/kernel/domain';

/** The parts of a status. */
export const STATUS_PARTS = ['text', 'emoji'] as const;
export type StatusPart = (typeof STATUS_PARTS)[number];

/** Stream `status-{user}`: a user has another status. The event has all of it, also what did not change. */
export const StatusChanged = defineEvent('presence.StatusChanged', {
  data: t.Object({
    userId,
    changed: t.Array(t.Union(STATUS_PARTS.map((part) => t.Literal(part)))),
    hasText: t.Boolean(),
    /** The code as in a reaction. */
    emoji: nullable(t.Object({ type: t.Union(EMOJI_TYPES.map((type) => t.Literal(type))), code: t.String() })),
  }),
  /** Both are empty where there is none. Names of custom emoji are texts of users. */
  sealed: t.Object({ text: t.String(), emojiName: t.String() }),
  subjects: ({ userId: user }) => [
    ['user', user],
    ['person', user],
  ],
});
export type StatusChanged = FactOf<typeof StatusChanged>;
