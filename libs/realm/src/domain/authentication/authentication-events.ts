import type { FactOf } from '@annals/kernel/domain';
import { aboutRealm, defineEvent, t } from '@annals/kernel/domain';

/** The ways to log in, under their names in the API. */
export const AUTHENTICATION_METHODS = ['Email', 'LDAP', 'OpenID Connect', 'SAML', 'JWT', 'RemoteUser', 'Dev'] as const;
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];

/** Which methods are on, for some of them. */
export type MethodChoices = Partial<Readonly<Record<AuthenticationMethod, boolean>>>;

const choices = t.Unsafe<MethodChoices>(
  t.Object(Object.fromEntries(AUTHENTICATION_METHODS.map((name) => [name, t.Optional(t.Boolean())])), {
    additionalProperties: false,
  }),
);

/** Stream `authentication-methods`: an owner turned ways to log in on or off. */
export const AuthenticationMethodsChosen = defineEvent('realm.AuthenticationMethodsChosen', {
  data: t.Object({
    /** Those that are different from now on. */
    changed: choices,
    /** All that the server offered the organization at that time, with the changed ones. */
    offered: choices,
  }),
  subjects: aboutRealm,
});
export type AuthenticationMethodsChosen = FactOf<typeof AuthenticationMethodsChosen>;
