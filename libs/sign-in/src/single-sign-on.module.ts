import { RealmFacts } from '@annals/realm';
import { UsersModule } from '@annals/users';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { JwtTokens } from './application/single-sign-on/jwt-tokens';
import { ListDevUsersHandler } from './application/single-sign-on/list-dev-users';
import { DevLogInHandler, LogInByTokenHandler } from './application/single-sign-on/log-in-by-token';
import { Once } from './application/single-sign-on/once';
import { SignOnAccounts } from './application/single-sign-on/sign-on-accounts';
import { SignOnKeys } from './application/single-sign-on/sign-on-keys';
import { OfferedProviders } from './application/single-sign-on/sign-on-providers';
import { UnlinkIdentityHandler } from './application/single-sign-on/unlink-identity';
import type { SignOnProviders } from './domain/single-sign-on/providers';

const PROVIDERS = [
  Once,
  SignOnAccounts,
  SignOnKeys,
  JwtTokens,
  LogInByTokenHandler,
  DevLogInHandler,
  ListDevUsersHandler,
  UnlinkIdentityHandler,
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
