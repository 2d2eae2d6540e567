import type { Actor, BotType, GroupSetting, Role, UserId, Verdict } from '@annals/kernel/domain';
import {
  Role as Roles,
  allowed,
  allowedIf,
  isAdministrator,
  isBot,
  isGuest,
  isOwner,
  permits,
  refused,
} from '@annals/kernel/domain';
import { reject } from './rejections';
import type { OwnSettings } from './settings/settings';
import { PRIVATE_SETTINGS } from './settings/settings';

/** Administrators with the special permission, which not even owners have by default (contract/users.md section 3). */
export function mayCreateUsers(actor: Pick<Actor, 'role' | 'canCreateUsers'>): Verdict {
  if (!isAdministrator(actor)) return refused(reject.administratorNeeded());
  return allowedIf(actor.canCreateUsers, reject.mayNotCreateUsers);
}

/** What a directory may do that owners connected, such as SCIM or LDAP: what an owner may who changes emails. */
export const DIRECTORY_RIGHTS = { role: Roles.owner, canChangeUserEmails: true } as const;

/** Contract/users.md section 4; INTERFACE.md 4.5. */
export const mayEditUsers = (actor: Pick<Actor, 'role'>): Verdict =>
  allowedIf(isAdministrator(actor), reject.insufficientPermission);

/** Administrators choose the default settings of new users. */
export const mayChangeDefaultSettings = (actor: Pick<Actor, 'role'>): Verdict =>
  allowedIf(isAdministrator(actor), reject.administratorNeeded);

/** Administrators change settings of other users, except those about their privacy. */
export function mayChangeSettingsOfOthers(actor: Pick<Actor, 'role'>, input: Partial<OwnSettings>): Verdict {
  if (!isAdministrator(actor)) return refused(reject.administratorNeeded());
  return allowedIf(!PRIVATE_SETTINGS.some((name) => input[name] !== undefined), reject.notForOthers);
}

/** Owners with the special permission, which the role does not include (INTERFACE.md 4.5). */
export const mayChangeEmails = (actor: Pick<Actor, 'role' | 'canChangeUserEmails'>): Verdict =>
  allowedIf(isOwner(actor) && actor.canChangeUserEmails, reject.mayNotChangeEmails);

/** Owners end two-factor login of other people. For their own they need a code, as everybody does. */
export function mayEndTwoFactorsOf(userId: UserId | undefined, actor: Pick<Actor, 'role' | 'userId'>): Verdict {
  if (!isOwner(actor)) return refused(reject.ownerNeeded());
  return allowedIf(userId !== actor.userId, reject.ownTwoFactors);
}

/** Users change their own name, unless only administrators may. */
export const mayRenameOneself = (actor: Pick<Actor, 'role'>, settings: { readonly name_changes_disabled: boolean }) =>
  allowedIf(!settings.name_changes_disabled || isAdministrator(actor), reject.namesAreFixed);

/** The same for emails. The email of a bot never changes. */
export function mayMoveOneself(
  actor: Pick<Actor, 'role' | 'botType'>,
  settings: { readonly email_changes_disabled: boolean },
): Verdict {
  if (isBot(actor)) return refused(reject.insufficientPermission());
  return allowedIf(!settings.email_changes_disabled || isAdministrator(actor), reject.emailsAreFixed);
}

/** Contract/users.md section 4, role rules. */
export function mayChangeRole(actor: Pick<Actor, 'role'>, from: Role, to: Role, isLastOwner: boolean): Verdict {
  if (isGuest({ role: from }) && isAdministrator({ role: to })) return refused(reject.guestAsAdministrator());
  if (from !== Roles.owner && to !== Roles.owner) return allowed;
  if (!isOwner(actor)) return refused(reject.ownerNeeded());
  return allowedIf(!isLastOwner, reject.lastOwner);
}

/** Contract/users.md section 5. */
export function mayDeactivate(
  actor: Pick<Actor, 'role'>,
  target: { readonly role: Role },
  isLastOwner: boolean,
): Verdict {
  if (!isAdministrator(actor)) return refused(reject.insufficientPermission());
  if (isOwner(target) && !isOwner(actor)) return refused(reject.ownerNeeded());
  return allowedIf(!isLastOwner, reject.lastOwnerLeaving);
}

/** contract/users.md section 5. Any administrator can also reactivate owners. */
export const mayReactivate = (actor: Pick<Actor, 'role'>): Verdict =>
  allowedIf(isAdministrator(actor), reject.administratorNeeded);

/** The organization's permissions for new bots. */
export interface BotRules {
  readonly canCreateBots: GroupSetting;
  readonly canCreateWriteOnlyBots: GroupSetting;
}

const INCOMING_WEBHOOK: BotType = 2;

/** contract/users.md section 7 */
export function mayCreateBot(actor: Actor, type: BotType, rules: BotRules): Verdict {
  if (isBot(actor)) return refused(reject.insufficientPermission());
  const may = (setting: GroupSetting) => permits(setting, actor, { guests: false });
  const allowedHere = may(rules.canCreateBots) || (type === INCOMING_WEBHOOK && may(rules.canCreateWriteOnlyBots));
  return allowedIf(allowedHere, reject.insufficientPermission);
}

/** The facts about a bot for permissions. */
type Administered = Pick<Actor, 'role' | 'botOwnerId' | 'canCreateUsers' | 'canChangeUserEmails'>;

/**
 * The bot's owner and administrators (contract/permissions.md section 7). For a bot with a special permission only
 * owners of the organization, who are responsible for it.
 */
export function mayAdministerBot(actor: Pick<Actor, 'userId' | 'role'>, bot: Administered): Verdict {
  if (bot.botOwnerId !== actor.userId && !isAdministrator(actor)) return refused(reject.insufficientPermission());
  return allowedIf(isOwner(actor) || !(bot.canCreateUsers || bot.canChangeUserEmails), reject.ownerNeeded);
}

/**
 * A new owner or key of a bot gives its permissions to another person. Those of an owner can be given only by owners,
 * or by the bot's owner.
 */
export const mayPassBotOn = (actor: Pick<Actor, 'userId' | 'role'>, bot: Administered): Verdict =>
  allowedIf(bot.botOwnerId === actor.userId || isOwner(actor) || !isOwner(bot), reject.ownerNeeded);

/** All users, unless the organization restricts it to administrators (contract/boot.md section 5.1). */
export const mayChangeAvatar = (actor: Pick<Actor, 'role'>, avatarChangesDisabled: boolean): Verdict =>
  allowedIf(!avatarChangesDisabled || isAdministrator(actor), reject.avatarChangesDisabled);

/** The owner of a bot may not change its role, which could exceed their own. */
export function mayChangeBotRole(actor: Pick<Actor, 'role'>, from: Role, to: Role): Verdict {
  if (!isAdministrator(actor)) return refused(reject.administratorNeeded());
  return mayChangeRole(actor, from, to, false);
}
