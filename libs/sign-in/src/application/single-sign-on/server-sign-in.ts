import type { AuthenticationMethod, ServerSignIn, SignInButton } from '@annals/realm';
import type { Button, Offered, SignOnProviders } from '../../domain/single-sign-on/providers';
import { isFor } from '../../domain/single-sign-on/providers';

/** What the providers mean for organizations. The buttons are in the order in which pages and clients show them. */
export function serverSignInOf(providers: SignOnProviders): ServerSignIn {
  const offers: readonly (readonly [AuthenticationMethod, readonly Offered[]])[] = [
    ['LDAP', providers.ldap],
    ['OpenID Connect', providers.oidc],
    ['SAML', providers.saml],
    ['JWT', providers.jwt],
    ['RemoteUser', providers.headers],
  ];
  const buttons = [
    ...providers.saml.map((one) => offeredTo(one, buttonOf(one, 'SAML', 'saml'))),
    ...providers.headers.map((one) => offeredTo(one, headerButton(one))),
    ...providers.oidc.map((one) => offeredTo(one, buttonOf(one, 'OpenID Connect', 'oidc'))),
  ];
  return {
    methodsOf: (subdomain) => [
      'Email',
      ...offers.flatMap(([method, some]) => (some.some((one) => isFor(subdomain, one)) ? [method] : [])),
      ...(providers.devLogins ? (['Dev'] as const) : []),
    ],
    buttonsOf: (subdomain) => buttons.filter((one) => isFor(subdomain, one)).map(({ button }) => button),
  };
}

const offeredTo = ({ organizations }: Offered, button: SignInButton) => ({ organizations, button });

const buttonOf = (
  { name, displayName, displayIcon }: Offered & Button,
  method: AuthenticationMethod,
  kind: string,
): SignInButton => ({
  name: `${kind}:${name}`,
  displayName,
  displayIcon,
  method,
  loginPath: `/accounts/login/social/${kind}/${name}`,
  signupPath: `/accounts/register/social/${kind}/${name}`,
});

const headerButton = ({ displayName, displayIcon }: Button): SignInButton => ({
  name: 'remoteuser',
  displayName,
  displayIcon,
  method: 'RemoteUser',
  loginPath: '/accounts/login/start/sso/',
  signupPath: '/accounts/login/start/sso/',
});
