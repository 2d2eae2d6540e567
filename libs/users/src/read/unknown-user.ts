import type { Instant, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { gravatarUrl } from '@annals/realm';
import { placeholderEmail } from '../domain/names';
import { presentDateJoined } from './present-user';
import type { Viewer } from './viewer';

/** What guests see in place of the name of somebody whom they may not see (contract/realtime.md section 2.1). */
export const UNKNOWN_NAME = 'Unknown user';

/** Address and picture of somebody whom the viewer may not see: the same for everybody who bears this id. */
export function unknownPerson(userId: UserId, { mailDomain }: Pick<Viewer, 'mailDomain'>) {
  const email = placeholderEmail(userId, mailDomain);
  return { email, fullName: UNKNOWN_NAME, avatarUrl: gravatarUrl(email, 1) };
}

/** The user object of somebody whom the viewer may not see: nothing in it tells anything but the id. */
export function presentUnknown(userId: UserId, viewer: Pick<Viewer, 'mailDomain'>) {
  const { email, fullName, avatarUrl } = unknownPerson(userId, viewer);
  return {
    user_id: userId,
    email,
    delivery_email: null,
    full_name: fullName,
    date_joined: presentDateJoined(0 as Instant),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    role: Role.member,
    bot_type: null,
    bot_owner_id: null,
    timezone: '',
    avatar_url: avatarUrl,
    avatar_version: 1,
    is_imported_stub: false,
    profile_data: {},
  };
}
