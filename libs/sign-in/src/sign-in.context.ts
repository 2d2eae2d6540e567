import { defineContext } from '@annals/kernel';
import { singleSignOnDescriptions } from './audit/single-sign-on.audit';
import { identityFree } from './application/single-sign-on/guards';
import { IdentityLinked, IdentityUnlinked, SignedOn } from './domain/single-sign-on/identity-events';
import { identitiesView } from './read/single-sign-on/identities.view';
import { signInMigrations } from './schema';

export const signInContext = defineContext({
  name: 'sign-in',
  events: [IdentityLinked, IdentityUnlinked, SignedOn],
  guards: [identityFree],
  descriptions: singleSignOnDescriptions,
  projections: [identitiesView],
  migrations: signInMigrations,
  transient: ['sign_on_once'],
  unhandled: { 'sign-in.SignedOn': 'the key or the session that it is about is in events of its own' },
});
