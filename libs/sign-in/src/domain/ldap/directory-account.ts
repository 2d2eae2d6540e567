import type { UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { ProviderIdentity } from '../single-sign-on/identities';
import { directoryIssuer } from '../single-sign-on/identities';
import type { DirectoryAccountEvent, SuspensionReason } from './directory-account-events';
import { DirectoryAccountSuspended, DirectoryPictureTaken } from './directory-account-events';

/** What an account has of its entry. The digest is null without a picture, and once it was erased. */
export interface DirectoryAccount {
  readonly pictureDigest: string | null;
}

export const directoryAccountAggregate = defineAggregate<DirectoryAccount, DirectoryAccountEvent, UserId>(
  'directory-account',
  { pictureDigest: null },
  (account, event) =>
    event.type === 'sign-in.DirectoryAccountSuspended'
      ? account
      : { pictureDigest: event.sealed === 'erased' ? null : event.sealed.digest },
);

/** An entry of a directory as an identity that an account is linked to. */
export const identityOf = (directory: string, subject: string): ProviderIdentity => ({
  issuer: directoryIssuer(directory),
  subject,
});

/** A link to a name instead of an id ends when the entry is moved, so that an email may replace it. */
export const isLasting = (subject: string): boolean => subject.startsWith('id:');

/** Remembers the picture that was taken. The same one is no change. */
export function takePicture(
  account: DirectoryAccount,
  userId: UserId,
  { directory, digest }: { readonly directory: string; readonly digest: string },
): DirectoryPictureTaken[] {
  if (account.pictureDigest === digest) return [];
  return [fact(DirectoryPictureTaken, { userId, directory }, { digest })];
}

/** Records why the directory deactivated an account. */
export const suspend = (userId: UserId, directory: string, reason: SuspensionReason): DirectoryAccountSuspended[] => [
  fact(DirectoryAccountSuspended, { userId, directory, reason }),
];
