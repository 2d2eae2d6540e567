import type { FactOf, Subject } from '@annals/kernel/domain';
import { defineEvent, nullable, t, userId } from '@annals/kernel/domain';

/** The name that a provider gives somebody is theirs, so it is erased with the person. */
const ofPerson = ({ userId: user }: { readonly userId: number }): readonly Subject[] => [
  ['user', user],
  ['person', user],
];

/** Stream `identities-{user}`, like all of these: a person of a provider is the person of this account from now on. */
export const IdentityLinked = defineEvent('sign-in.IdentityLinked', {
  data: t.Object({
    userId,
    /** The provider by its own name: the issuer of OpenID Connect, the entity id of SAML after `saml:`. */
    issuer: t.String(),
  }),
  sealed: t.Object({ subject: t.String() }),
  subjects: ofPerson,
});
export type IdentityLinked = FactOf<typeof IdentityLinked>;

/** The provider cannot log this account in any more. */
export const IdentityUnlinked = defineEvent('sign-in.IdentityUnlinked', {
  data: t.Object({ userId, issuer: t.String() }),
  subjects: ({ userId: user }) => [['user', user]],
});
export type IdentityUnlinked = FactOf<typeof IdentityUnlinked>;

/** Somebody logged in without a password of this server. */
export const SignedOn = defineEvent('sign-in.SignedOn', {
  data: t.Object({
    userId,
    /** As in `authentication_methods`. */
    method: t.String(),
    /** Name of the provider in the file. Null for development logins. */
    provider: nullable(t.String()),
    /** What they got: a session of a browser, or a key for an app. */
    as: t.Union([t.Literal('session'), t.Literal('key')]),
  }),
  subjects: ({ userId: user }) => [['user', user]],
});
export type SignedOn = FactOf<typeof SignedOn>;

export type IdentityEvent = IdentityLinked | IdentityUnlinked | SignedOn;
