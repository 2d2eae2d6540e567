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
export { identitiesAggregate, linkIdentity, unlinkIdentity } from './domain/single-sign-on/identities';
export { SingleSignOnModule } from './single-sign-on.module';
export { serverSignInOf } from './application/single-sign-on/server-sign-in';
export { signInContext } from './sign-in.context';
export { accountMails } from './jobs/account-mail-tasks';
export { SignInJobsModule } from './jobs/sign-in-jobs.module';
