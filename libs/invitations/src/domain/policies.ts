import type { Actor, GroupSetting, Instant, UserId, Verdict } from '@annals/kernel/domain';
import { DAY_MS, Role, allowed, allowedIf, isAdministrator, isOwner, permits, refused } from '@annals/kernel/domain';
import type { InvitationOffer } from './offer';
import { reject } from './rejections';

/** Roles that only administrators may give. */
const HIGH_ROLES: readonly Role[] = [Role.owner, Role.administrator, Role.moderator];

/** Days after which a member may invite in an organization that everybody may join, where invitations could be spam. */
const SETTLED_DAYS = 3;

/** A setting of the organization by which an actor may invite. */
export type InvitingSetting = 'can_invite_users_group' | 'create_multiuse_invite_group';

/** The setting by which somebody may create such an invitation. */
export const invitingSetting = ({ isLink }: { readonly isLink: boolean }): InvitingSetting =>
  isLink ? 'create_multiuse_invite_group' : 'can_invite_users_group';

/** Whether the value of a setting of the organization lets the actor invite. Guests never may. */
export const mayInvite = (setting: GroupSetting, actor: Pick<Actor, 'userId' | 'role' | 'groups'>): Verdict =>
  allowedIf(permits(setting, actor, { guests: false }), reject.mayNotInvite);

/** Whether the actor may give this role and this welcome text (contract/whole-interface.md section 1). */
export function mayOffer(
  { role, welcomeText }: Pick<InvitationOffer, 'role' | 'welcomeText'>,
  actor: Pick<Actor, 'role'>,
) {
  if (role === Role.owner && !isOwner(actor)) return refused(reject.ownerNeeded());
  const needsAdministrator = HIGH_ROLES.includes(role) || welcomeText !== null;
  return allowedIf(!needsAdministrator || isAdministrator(actor), reject.administratorNeeded);
}

/** Whether the actor may revoke and resend an invitation: its inviter, and administrators. */
export function mayManage(
  { inviterId, role }: { readonly inviterId: UserId; readonly role: Role },
  actor: Pick<Actor, 'userId' | 'role'>,
): Verdict {
  if (inviterId === actor.userId) return allowed;
  if (role === Role.owner && !isOwner(actor)) return refused(reject.ownerNeeded());
  return allowedIf(isAdministrator(actor), reject.administratorNeeded);
}

/** Whether the account has existed long enough to invite where everybody may join. */
export const isSettled = (actor: Pick<Actor, 'role'>, joinedAt: Instant, at: Instant): boolean =>
  isAdministrator(actor) || at - joinedAt >= SETTLED_DAYS * DAY_MS;
