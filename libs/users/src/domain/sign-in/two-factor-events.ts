import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, t, userId } from '@annals/kernel/domain';

const aboutUser = ({ userId: user }: { userId: number }) => [['user', user] as const];
const left = t.Integer({ minimum: 0 });

/**
 * Stream `two-factors-{id}`, like the next: logins with the password of the account need a code of an app too. The secret of the app and the
 * digests of recovery codes are stored beside the log under the id of the account.
 */
export const TwoFactorsBegan = defineEvent('users.TwoFactorsBegan', {
  data: t.Object({ userId, recoveryCodes: left }),
  subjects: aboutUser,
});
export type TwoFactorsBegan = FactOf<typeof TwoFactorsBegan>;

/** The password of the account is enough again. */
export const TwoFactorsEnded = defineEvent('users.TwoFactorsEnded', {
  data: t.Object({ userId }),
  subjects: aboutUser,
});
export type TwoFactorsEnded = FactOf<typeof TwoFactorsEnded>;

/** Somebody logged in with a recovery code, which is of no use any more. */
export const RecoveryCodeUsed = defineEvent('users.RecoveryCodeUsed', {
  data: t.Object({ userId, left }),
  subjects: aboutUser,
});
export type RecoveryCodeUsed = FactOf<typeof RecoveryCodeUsed>;

export type TwoFactorEvent = TwoFactorsBegan | TwoFactorsEnded | RecoveryCodeUsed;
