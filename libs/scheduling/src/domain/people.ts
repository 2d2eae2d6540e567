import type { UserId } from '@annals/kernel/domain';

/** The recipients of a user in a conversation. A user alone in it writes to themselves. */
export function othersIn(userIds: readonly UserId[], own: UserId): UserId[] {
  const others = userIds.filter((id) => id !== own);
  return others.length === 0 ? [own] : others;
}
