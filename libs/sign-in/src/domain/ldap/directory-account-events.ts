import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, t, userId, words } from '@annals/kernel/domain';

/** The key of a directory in the file of the operator. */
const directory = t.String({ minLength: 1, maxLength: 40 });
const ofUser = ({ userId: id }: { userId: number }) => [['user', id]] as const;

/**
 * Stream `directory-account-{user}`, like all events here: the account has the picture of its entry. The digest tells when the
 * directory has another one. It is erased with the person.
 */
export const DirectoryPictureTaken = defineEvent('sign-in.DirectoryPictureTaken', {
  data: t.Object({ userId, directory }),
  sealed: t.Object({ digest: t.String() }),
  subjects: ({ userId: id }) => [
    ['user', id],
    ['person', id],
  ],
});
export type DirectoryPictureTaken = FactOf<typeof DirectoryPictureTaken>;

export const SUSPENSION_REASONS = ['disabled', 'missing'] as const;
export type SuspensionReason = (typeof SUSPENSION_REASONS)[number];

/** The account was deactivated because its entry is disabled or missing. It stands beside `users.Deactivated`. */
export const DirectoryAccountSuspended = defineEvent('sign-in.DirectoryAccountSuspended', {
  data: t.Object({ userId, directory, reason: words(...SUSPENSION_REASONS) }),
  subjects: ofUser,
});
export type DirectoryAccountSuspended = FactOf<typeof DirectoryAccountSuspended>;

export type DirectoryAccountEvent = DirectoryPictureTaken | DirectoryAccountSuspended;
