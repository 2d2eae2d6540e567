import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, t, userId } from '@annals/kernel/domain';

/** Stream `deactivation-{user}`: an administrator wrote to the person whose account they deactivated. A mail has the text. */
export const DeactivationExplained = defineEvent('users.DeactivationExplained', {
  data: t.Object({ userId }),
  /** Empty for a mail without a text of the administrator. */
  sealed: t.Object({ comment: t.String() }),
  subjects: ({ userId: user }) => [
    ['user', user],
    ['person', user],
  ],
});
export type DeactivationExplained = FactOf<typeof DeactivationExplained>;
