import type { Instant } from '@annals/kernel/domain';
import { isAdministrator, isGuest, isOwner } from '@annals/kernel/domain';
import { avatarUrlFor } from '../profile/avatar';
import type { ProfileData } from '../profile/profiles';
import type { UserRow } from './user-row';
import type { Viewer } from './viewer';
import { emailFor, realEmail } from './viewer';

interface PresentOptions {
  /** The client computes the URLs of Gravatar pictures itself if it has the real email. */
  readonly clientGravatar: boolean;
  /** Adds the values of custom profile fields, for people. Null for clients that did not ask. */
  readonly profileData: ProfileData | null;
}

/** The user object of the API for a viewer (contract/users.md section 1). */
export function presentUser(user: UserRow, viewer: Viewer, { clientGravatar, profileData }: PresentOptions) {
  const deliveryEmail = realEmail(user, viewer);
  return {
    user_id: user.userId,
    email: emailFor(user, viewer),
    delivery_email: deliveryEmail,
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
    timezone: user.timezone,
    avatar_url: avatarUrlFor(user, viewer, clientGravatar),
    avatar_version: user.avatarVersion,
    is_imported_stub: user.isImported && user.awaitsFirstLogin,
    ...(user.isDeleted && { is_deleted: true }),
    ...(user.isSystemBot && { is_system_bot: true }),
    ...(profileData && user.botType === null && { profile_data: profileData }),
  };
}

/** ISO 8601, to the minute (contract/conventions.md section 6). */
export const presentDateJoined = (at: Instant): string => `${new Date(at).toISOString().slice(0, 16)}+00:00`;
