import type { Instant } from '@annals/kernel/domain';
import { isAdministrator, isGuest, isOwner } from '@annals/kernel/domain';
import { avatarUrlFor } from './avatar';
import type { UserRow } from './user-row';

interface PresentOptions {
  /** The client makes the addresses of gravatar pictures itself. */
  readonly clientGravatar: boolean;
  /** Adds the values of custom profile fields, for people. */
  readonly profileData: boolean;
}

/** The user object of the wire (contract/users.md section 1). */
export function presentUser(user: UserRow, { clientGravatar, profileData }: PresentOptions) {
  return {
    user_id: user.userId,
    email: user.email,
    delivery_email: user.deliveryEmail,
    full_name: user.fullName,
    date_joined: presentDateJoined(user.joinedAt),
    is_active: user.isActive,
    is_owner: isOwner(user),
    is_admin: isAdministrator(user),
    is_guest: isGuest(user),
    is_bot: user.botType !== null,
    role: user.role,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    timezone: '',
    avatar_url: avatarUrlFor(user, clientGravatar),
    avatar_version: user.avatarVersion,
    is_imported_stub: false,
    ...(user.isSystemBot && { is_system_bot: true }),
    ...(profileData && user.botType === null && { profile_data: {} }),
  };
}

/** ISO 8601, to the minute (contract/conventions.md section 6). */
export const presentDateJoined = (at: Instant): string => `${new Date(at).toISOString().slice(0, 16)}+00:00`;
