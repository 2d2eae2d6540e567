import type { Actor } from '@annals/kernel/domain';
import type { UserRow } from '@annals/users';

/** What an actor has beside its account. */
type Beside = Pick<Actor, 'groups' | 'origin' | 'organization'> & LoggedInBy;

/** How the account of a request was proved. */
export interface LoggedInBy {
  readonly keyId?: number | undefined;
  readonly sessionId?: number | undefined;
}

/**
 * The actor that an account is, without spreads, because every request makes one. In Node.js 20 each object that begins
 * with a spread gets hidden classes of its own (docs/decisions/0053-presence-is-beside-the-log.md).
 */
export function actorOfAccount(user: UserRow, { groups, origin, organization, keyId, sessionId }: Beside): Actor {
  const actor: Actor & { keyId?: number; sessionId?: number; organization?: number } = {
    realmId: user.realmId,
    userId: user.userId,
    role: user.role,
    botType: user.botType,
    botOwnerId: user.botOwnerId,
    groups,
    version: user.version,
    canCreateUsers: user.canCreateUsers,
    canChangeUserEmails: user.canChangeUserEmails,
    origin,
  };
  if (organization !== undefined) actor.organization = organization;
  if (keyId !== undefined) actor.keyId = keyId;
  if (sessionId !== undefined) actor.sessionId = sessionId;
  return actor;
}
