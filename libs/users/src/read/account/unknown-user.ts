import type { Instant, Position } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { NO_BOT_DEFAULTS } from '../../domain/account/account-parts';
import { EmailVisibility } from '../../domain/email/email-visibility';
import type { UserRow } from './user-row';

/** What guests see in place of the name of a user whom they may not see (contract/realtime.md section 2.1). */
export const UNKNOWN_NAME = 'Unknown user';

/**
 * What guests are shown in place of an account that they may not see (contract/permissions.md section 7): nothing tells
 * anything of it but its id. Each field is named, so that a new one is not shown by oversight.
 */
export const unknownUser = ({ realmId, userId }: Pick<UserRow, 'realmId' | 'userId'>): UserRow => ({
  realmId,
  userId,
  version: 0,
  // Nobody sees it.
  deliveryEmail: '',
  addressVisibility: EmailVisibility.nobody,
  addressPosition: 0 as Position,
  timezone: '',
  fullName: UNKNOWN_NAME,
  role: Role.member,
  isActive: true,
  isDeleted: false,
  botType: null,
  botOwnerId: null,
  isSystemBot: false,
  avatarFile: null,
  avatarVersion: 1,
  canCreateUsers: false,
  canChangeUserEmails: false,
  createdAt: 0 as Instant,
  joinedAt: 0 as Instant,
  awaitsFirstLogin: false,
  isImported: false,
  ...NO_BOT_DEFAULTS,
});
