export type { DirectoryAccountSuspended, DirectoryPictureTaken } from './ldap/directory-account-events';
export type { IdentityEvent, IdentityLinked, IdentityUnlinked, SignedOn } from './single-sign-on/identity-events';
