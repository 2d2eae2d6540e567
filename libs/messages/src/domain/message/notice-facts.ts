import { nullable, t, userId, words } from '@annals/kernel/domain';

/** Facts that a message of the notification bot has beside its text. */
export const noticeFacts = t.Object({
  /** The user who has read it by causing it, if any. */
  readBy: nullable(userId),
  /** Its subject, if that matters later. */
  about: t.Optional(words('resolution')),
  /** The only users for whom it is unread; absent for all who receive it. */
  unreadFor: t.Optional(t.Array(userId)),
});
