import type { UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { Account } from '../account/account';
import { isActive } from '../account/account-parts';
import { reject } from '../rejections';
import type { AskedLink, LinkUse } from './mailed-link';
import { isUsable } from './mailed-link';
import { PasswordReset, PasswordResetAsked } from './mailed-link-events';

/** The newest link of an account. Null when there is none, or when it was used. */
export interface ResetLink extends AskedLink {
  readonly requestId: string;
}

export const passwordResetAggregate = defineAggregate<ResetLink | null, PasswordResetAsked | PasswordReset, UserId>(
  'password-reset',
  null,
  (_, { type, data, at, position }) =>
    type === 'users.PasswordReset' ? null : { requestId: data.requestId, at, position },
);

/** Whether an account may get a link: a person's that is in use. */
export const mayResetPassword = (account: Account | null): account is Account =>
  account !== null && isActive(account) && account.botType === null && !account.isSystemBot;

/** The account gets a link. No event for a request that has made one. */
export const askForReset = (link: ResetLink | null, userId: UserId, requestId: string): PasswordResetAsked[] =>
  link?.requestId === requestId ? [] : [fact(PasswordResetAsked, { userId, requestId })];

/** Uses the link. @throws Rejected BAD_REQUEST for one that was used, that is too old, or that the account may not use any more */
export function resetPassword(link: ResetLink | null, account: Account | null, use: LinkUse): PasswordReset[] {
  if (!isUsable(link, use) || !mayResetPassword(account)) throw reject.linkNotValid();
  return [fact(PasswordReset, { userId: account.userId })];
}
