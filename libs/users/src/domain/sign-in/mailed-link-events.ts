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
