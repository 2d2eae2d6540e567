import type { BotType, Role, UserId } from '@annals/kernel/domain';
import { Role as Roles, t } from '@annals/kernel/domain';

/** Who sees somebody's real address, as they choose it (contract/permissions.md section 7). */
export const EmailVisibility = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;
export type EmailVisibility = (typeof EmailVisibility)[keyof typeof EmailVisibility];

export const emailVisibility = t.Unsafe<EmailVisibility>(
  t.Union(Object.values(EmailVisibility).map((value) => t.Literal(value))),
);

/** The least powerful role that sees the address; null where its owner alone does. */
const LEAST_ROLE: Readonly<Record<EmailVisibility, Role | null>> = {
  [EmailVisibility.everyone]: Roles.guest,
  [EmailVisibility.members]: Roles.member,
  [EmailVisibility.moderators]: Roles.moderator,
  [EmailVisibility.administrators]: Roles.administrator,
  [EmailVisibility.nobody]: null,
};

/** Who has an address, as far as it matters who sees it. */
export interface EmailOwner {
  readonly userId: UserId;
  readonly botType: BotType | null;
  readonly addressVisibility: EmailVisibility;
}

/** Whether everybody sees the address; those of bots are never hidden. */
export const hasOpenEmail = ({ botType, addressVisibility: chosen }: Omit<EmailOwner, 'userId'>): boolean =>
  botType !== null || chosen === EmailVisibility.everyone;

/** Whether somebody who is not its owner sees an address by their role. */
export const seesEmailByRole = (role: Role, of: Omit<EmailOwner, 'userId'>): boolean =>
  hasOpenEmail(of) || role <= (LEAST_ROLE[of.addressVisibility] ?? 0);

/** Whether somebody sees the real address of an account; everybody sees their own. */
export const seesEmail = (
  { userId, role }: { readonly userId: UserId; readonly role: Role },
  of: EmailOwner,
): boolean => userId === of.userId || seesEmailByRole(role, of);
