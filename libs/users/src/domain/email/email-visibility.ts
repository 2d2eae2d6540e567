import type { BotType, Role, UserId } from '@annals/kernel/domain';
import { Role as Roles, t } from '@annals/kernel/domain';

/** Who sees somebody's real address, as they choose it (contract/permissions.md section 7). */
export const AddressVisibility = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;
export type AddressVisibility = (typeof AddressVisibility)[keyof typeof AddressVisibility];

export const addressVisibility = t.Unsafe<AddressVisibility>(
  t.Union(Object.values(AddressVisibility).map((value) => t.Literal(value))),
);

/** The least powerful role that sees the address; null where its owner alone does. */
const LEAST: Readonly<Record<AddressVisibility, Role | null>> = {
  [AddressVisibility.everyone]: Roles.guest,
  [AddressVisibility.members]: Roles.member,
  [AddressVisibility.moderators]: Roles.moderator,
  [AddressVisibility.administrators]: Roles.administrator,
  [AddressVisibility.nobody]: null,
};

/** Who has an address, as far as it matters who sees it. */
export interface Addressed {
  readonly userId: UserId;
  readonly botType: BotType | null;
  readonly addressVisibility: AddressVisibility;
}

/** Whether everybody sees the address; those of bots are never hidden. */
export const isOpenlyAddressed = ({ botType, addressVisibility: chosen }: Omit<Addressed, 'userId'>): boolean =>
  botType !== null || chosen === AddressVisibility.everyone;

/** Whether somebody who is not its owner sees an address by their role. */
export const seesAddressByRole = (role: Role, of: Omit<Addressed, 'userId'>): boolean =>
  isOpenlyAddressed(of) || role <= (LEAST[of.addressVisibility] ?? 0);

/** Whether somebody sees the real address of an account; everybody sees their own. */
export const seesAddress = (
  { userId, role }: { readonly userId: UserId; readonly role: Role },
  of: Addressed,
): boolean => userId === of.userId || seesAddressByRole(role, of);
