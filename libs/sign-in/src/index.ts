export type {
  Button,
  JwtIssuer,
  Offered,
  OidcProvider,
  SamlProvider,
  SamlService,
  SignOnProviders,
  TrustedHeader,
} from './domain/single-sign-on/providers';
export { NO_PROVIDERS } from './domain/single-sign-on/providers';
export { serverSignInOf } from './application/single-sign-on/server-sign-in';
export { signInContext } from './sign-in.context';
