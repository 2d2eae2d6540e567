import type { BotType, Role, UserId } from '@annals/kernel/domain';
import { Role as Roles, t } from '@annals/kernel/domain';

/** The users who can see a user's real email, as the user chose (contract/permissions.md section 7). */
export const EmailVisibility = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;
export type EmailVisibility = (typeof EmailVisibility)[keyof typeof EmailVisibility];

export const emailVisibility = t.Unsafe<EmailVisibility>(
  t.Union(Object.values(EmailVisibility).map((value) => t.Literal(value))),
);

/** The lowest role that sees the email. Null if only its owner does. */
const LEAST_ROLE: Readonly<Record<EmailVisibility, Role | null>> = {
  [EmailVisibility.everyone]: Roles.guest,
  [EmailVisibility.members]: Roles.member,
  [EmailVisibility.moderators]: Roles.moderator,
  [EmailVisibility.administrators]: Roles.administrator,
  [EmailVisibility.nobody]: null,
};

/** The facts about an account that decide who sees its email. */
export interface EmailOwner {
  readonly userId: UserId;
  readonly botType: BotType | null;
  readonly addressVisibility: EmailVisibility;
}

/** Whether all users see the email. Emails of bots are never hidden. */
export const hasOpenEmail = ({ botType, addressVisibility: chosen }: Omit<EmailOwner, 'userId'>): boolean =>
  botType !== null || chosen === EmailVisibility.everyone;

/** Whether another user sees an email by their role. */
export const seesEmailByRole = (role: Role, of: Omit<EmailOwner, 'userId'>): boolean =>
  hasOpenEmail(of) || role <= (LEAST_ROLE[of.addressVisibility] ?? 0);

/** Whether a user sees the real email of an account. Users see their own. */
export const seesEmail = (
  { userId, role }: { readonly userId: UserId; readonly role: Role },
  of: EmailOwner,
): boolean => userId === of.userId || seesEmailByRole(role, of);
