import type { UserId, Verdict } from '@annals/kernel/domain';
import { defineAggregate, ensure, fact } from '@annals/kernel/domain';
import type { Account } from '../account/account';
import { known } from '../account/account';
import { isActive } from '../account/account-parts';
import type { AddressChanged } from '../events';
import { reject } from '../rejections';
import type { AskedLink, LinkUse } from '../sign-in/mailed-link';
import { isUsable } from '../sign-in/mailed-link';
import { EmailChangeAsked, EmailChangeConfirmed } from '../sign-in/mailed-link-events';
import type { EmailRules } from './email';
import { changeEmail } from './email';

/** The email that an account wants. Null when there is none, when it was confirmed, or when it was erased. */
export interface WantedEmail extends AskedLink {
  readonly email: string;
}

export const emailChangeAggregate = defineAggregate<
  WantedEmail | null,
  EmailChangeAsked | EmailChangeConfirmed,
  UserId
>('email-change', null, (_, event) =>
  event.type === 'users.EmailChangeConfirmed' || event.sealed === 'erased'
    ? null
    : { email: event.sealed.email, at: event.at, position: event.position },
);

/** Rules of the organization for a new email of one's own. They are checked again when it is confirmed. */
interface OwnEmailRules {
  readonly address: EmailRules;
  readonly mayChangeEmail: Verdict;
}

/**
 * Asks for another email of one's own. The same one is no change.
 *
 * @throws Rejected for an email that is not allowed or in use, also if only administrators may change theirs
 */
export function askForEmail(state: Account | null, email: string, rules: OwnEmailRules): EmailChangeAsked[] {
  const account = known(state);
  if (email === account.email) return [];
  ensure(rules.mayChangeEmail);
  changeEmail(account, email, rules.address);
  return [fact(EmailChangeAsked, { userId: account.userId }, { email })];
}

/** @throws Rejected BAD_REQUEST for a link that was used or is too old */
export function wantedNow(wanted: WantedEmail | null, account: Account | null, use: LinkUse): WantedEmail {
  const mayHaveAnother = account !== null && account.email !== null && isActive(account);
  if (!mayHaveAnother || !isUsable(wanted, use)) throw reject.linkNotValid();
  return wanted;
}

/** Confirms a new email. @throws Rejected as the request for it would be now */
export function confirmEmail(
  account: Account,
  { email }: WantedEmail,
  rules: OwnEmailRules,
): { readonly confirmed: EmailChangeConfirmed[]; readonly changed: AddressChanged[] } {
  ensure(rules.mayChangeEmail);
  const { userId, email: from } = account;
  const changed = changeEmail(account, email, rules.address);
  return { changed, confirmed: [fact(EmailChangeConfirmed, { userId }, { from: from ?? '' })] };
}
