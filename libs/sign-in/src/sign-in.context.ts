import { defineContext } from '@annals/kernel';
import { directoryAccountDescriptions } from './audit/directory-account.audit';
import { singleSignOnDescriptions } from './audit/single-sign-on.audit';
import { identityFree } from './application/single-sign-on/guards';
import { DirectoryAccountSuspended, DirectoryPictureTaken } from './domain/ldap/directory-account-events';
import { IdentityLinked, IdentityUnlinked, SignedOn } from './domain/single-sign-on/identity-events';
import { directoryAccountsView } from './read/ldap/directory-accounts.view';
import { identitiesView } from './read/single-sign-on/identities.view';
import { signInMigrations } from './schema';

export const signInContext = defineContext({
  name: 'sign-in',
  events: [IdentityLinked, IdentityUnlinked, SignedOn, DirectoryPictureTaken, DirectoryAccountSuspended],
  guards: [identityFree],
  descriptions: [...singleSignOnDescriptions, ...directoryAccountDescriptions],
  projections: [identitiesView, directoryAccountsView],
  migrations: signInMigrations,
  transient: ['sign_on_once'],
  unhandled: { 'sign-in.SignedOn': 'the key or the session that it is about is in events of its own' },
});
