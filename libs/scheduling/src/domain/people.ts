import type { UserId } from '@annals/kernel/domain';

/** Those in a conversation whom somebody writes to; who is alone in it writes to themselves. */
export function othersIn(userIds: readonly UserId[], own: UserId): UserId[] {
  const others = userIds.filter((id) => id !== own);
  return others.length === 0 ? [own] : others;
}
