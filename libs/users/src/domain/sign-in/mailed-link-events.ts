import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, t, userId } from '@annals/kernel/domain';

const aboutUser = ({ userId: user }: { userId: number }) => [['user', user] as const];

/**
 * Stream `password-reset-{id}`, like the next: somebody who named the address of the account asked for a link to choose another password.
 * Its token is stored beside the log under the id of the account. A later one replaces it.
 */
export const PasswordResetAsked = defineEvent('users.PasswordResetAsked', {
  data: t.Object({ userId, requestId: t.String({ pattern: '^[0-9a-f-]{36}$' }) }),
  subjects: aboutUser,
});
export type PasswordResetAsked = FactOf<typeof PasswordResetAsked>;

/** Somebody with the link chose another password. The link is of no use any more. */
export const PasswordReset = defineEvent('users.PasswordReset', { data: t.Object({ userId }), subjects: aboutUser });
export type PasswordReset = FactOf<typeof PasswordReset>;

const ofUser = ({ userId: user }: { userId: number }) => [['user', user] as const, ['person', user] as const];

/**
 * Stream `email-change-{id}`, like the next: a person wants another email, which gets a mail with a link. Its token is stored beside the log
 * under the id of the account. A later one replaces it.
 */
export const EmailChangeAsked = defineEvent('users.EmailChangeAsked', {
  data: t.Object({ userId }),
  sealed: t.Object({ email: t.String() }),
  subjects: ofUser,
});
export type EmailChangeAsked = FactOf<typeof EmailChangeAsked>;

/** Somebody who reads the new email followed the link. The account has it from now on, by an event of its own. */
export const EmailChangeConfirmed = defineEvent('users.EmailChangeConfirmed', {
  data: t.Object({ userId }),
  /** The email before, which gets a mail about it. */
  sealed: t.Object({ from: t.String() }),
  subjects: ofUser,
});
export type EmailChangeConfirmed = FactOf<typeof EmailChangeConfirmed>;
