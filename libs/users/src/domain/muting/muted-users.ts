import type { UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { reject } from '../rejections';
import type { MutingEvent } from './muting-events';
import { UserMuted, UserUnmuted } from './muting-events';

/** Most users that one account can mute. Its clients load the whole list at the start. */
export const MAX_MUTED_USERS = 1_000;

/** The users that an account has muted. */
export const mutedUsersAggregate = defineAggregate<ReadonlySet<UserId>, MutingEvent, UserId>(
  'muted-users',
  new Set(),
  (muted, { type, data: { mutedUserId } }) => {
    const others = [...muted].filter((id) => id !== mutedUserId);
    return new Set(type === 'users.UserMuted' ? [...others, mutedUserId] : others);
  },
);

/** @throws Rejected BAD_REQUEST for oneself, for a muted user, and for one too many */
export function muteUser(muted: ReadonlySet<UserId>, userId: UserId, mutedUserId: UserId): UserMuted[] {
  if (mutedUserId === userId) throw reject.cannotMuteSelf();
  if (muted.has(mutedUserId)) throw reject.alreadyMuted();
  if (muted.size >= MAX_MUTED_USERS) throw reject.tooManyMutedUsers({ limit: MAX_MUTED_USERS });
  return [fact(UserMuted, { userId, mutedUserId })];
}

/** @throws Rejected BAD_REQUEST for a user who is not muted */
export function unmuteUser(muted: ReadonlySet<UserId>, userId: UserId, mutedUserId: UserId): UserUnmuted[] {
  if (!muted.has(mutedUserId)) throw reject.notMuted();
  return [fact(UserUnmuted, { userId, mutedUserId })];
}
