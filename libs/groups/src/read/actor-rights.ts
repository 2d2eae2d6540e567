import type { Actor } from '@annals/kernel/domain';
import type { UserRow } from '@annals/users';

type Rights = Omit<Actor, 'realmId' | 'groups' | 'origin' | 'keyId'>;

/** The rights that an actor has by its account, beside its groups. */
export const rightsOf = ({
  userId,
  role,
  botType,
  botOwnerId,
  version,
  canCreateUsers,
  canChangeUserEmails,
}: UserRow): Rights => ({ userId, role, botType, botOwnerId, version, canCreateUsers, canChangeUserEmails });
