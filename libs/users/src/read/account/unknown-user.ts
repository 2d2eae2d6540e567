import type { Instant, Position } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { NO_BOT_DEFAULTS } from '../../domain/account/account-parts';
import { EmailVisibility } from '../../domain/email/email-visibility';
import type { UserRow } from './user-row';

/** The name that guests see instead of the name of a hidden user (contract/realtime.md section 2.1). */
export const UNKNOWN_NAME = 'Unknown user';

/**
 * The account that guests see instead of a hidden one (contract/permissions.md section 7). It has nothing of it but the id.
 * Each field is written out, so that a new field is not shown by mistake.
 */
export const unknownUser = ({ realmId, userId }: Pick<UserRow, 'realmId' | 'userId'>): UserRow => ({
  realmId,
  userId,
  version: 0,
  // No user sees it.
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
