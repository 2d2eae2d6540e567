import { RealmFacts } from '@annals/realm';
import { UsersModule } from '@annals/users';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { DesktopLogInHandler } from './application/single-sign-on/desktop-log-in';
import { FinishSignOnHandler, JoinBySignOnHandler } from './application/single-sign-on/finish-sign-on';
import { Flows } from './application/single-sign-on/flows';
import { JwtLogins } from './application/single-sign-on/jwt/jwt-logins';
import { OidcClients } from './application/single-sign-on/oidc/oidc-clients';
import { OidcLogins } from './application/single-sign-on/oidc/oidc-logins';
import { SamlLogins } from './application/single-sign-on/saml/saml-logins';
import { SignOnGrants } from './application/single-sign-on/sign-on-grants';
import { SignOnJoining } from './application/single-sign-on/sign-on-joining';
import { TrustedHeaders } from './application/single-sign-on/trusted-headers';
import { WaitingJoiners } from './application/single-sign-on/waiting-joiners';
import { JwtTokens } from './application/single-sign-on/jwt/jwt-tokens';
import { ListIdentitiesHandler } from './application/single-sign-on/list-identities';
import { ListDevUsersHandler } from './application/single-sign-on/list-dev-users';
import { DevLogInHandler, LogInByTokenHandler } from './application/single-sign-on/log-in-by-token';
import { Once } from './application/single-sign-on/once';
import { SignOnAccounts } from './application/single-sign-on/sign-on-accounts';
import { SignOnKeys } from './application/single-sign-on/sign-on-keys';
import { OfferedProviders } from './application/single-sign-on/sign-on-providers';
import { UnlinkIdentityHandler } from './application/single-sign-on/unlink-identity';
import type { SignOnProviders } from './domain/single-sign-on/providers';

const PROVIDERS = [
  Flows,
  OidcClients,
  OidcLogins,
  SamlLogins,
  TrustedHeaders,
  JwtLogins,
  SignOnGrants,
  SignOnJoining,
  WaitingJoiners,
  FinishSignOnHandler,
  JoinBySignOnHandler,
  DesktopLogInHandler,
  Once,
  SignOnAccounts,
  SignOnKeys,
  JwtTokens,
  LogInByTokenHandler,
  DevLogInHandler,
  ListDevUsersHandler,
  UnlinkIdentityHandler,
  ListIdentitiesHandler,
];

/** Single sign-on. Global, because the providers belong to the process. */
@Module({})
export class SingleSignOnModule {
  static with(providers: SignOnProviders): DynamicModule {
    const offered = {
      provide: OfferedProviders,
      inject: [RealmFacts],
      useFactory: (realms: RealmFacts) => new OfferedProviders(providers, realms),
    };
    const all = [offered, ...PROVIDERS];
    return { module: SingleSignOnModule, global: true, imports: [UsersModule], providers: all, exports: all };
  }
}
