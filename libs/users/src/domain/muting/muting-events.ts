import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, t, userId } from '@annals/kernel/domain';

const muting = {
  data: t.Object({ userId, mutedUserId: userId }),
  subjects: (data: { readonly userId: number; readonly mutedUserId: number }) =>
    [
      ['user', data.userId],
      ['user', data.mutedUserId],
    ] as const,
};

/**
 * Stream `muted-users-{user}`, like the next: a user muted another one. Messages of that user are read from then on.
 */
export const UserMuted = defineEvent('users.UserMuted', muting);
export type UserMuted = FactOf<typeof UserMuted>;

/** Later messages of that user are unread again. */
export const UserUnmuted = defineEvent('users.UserUnmuted', muting);
export type UserUnmuted = FactOf<typeof UserUnmuted>;

export type MutingEvent = UserMuted | UserUnmuted;
