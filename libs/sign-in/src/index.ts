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
export { isThisMachine } from './domain/single-sign-on/this-machine';
export { identitiesAggregate, linkIdentity, unlinkIdentity } from './domain/single-sign-on/identities';
export { SingleSignOnModule } from './single-sign-on.module';
export { serverSignInOf } from './application/single-sign-on/server-sign-in';
export { signInContext } from './sign-in.context';
export { accountMails } from './jobs/account-mail-tasks';
export { SignInJobsModule } from './jobs/sign-in-jobs.module';
export type { LdapDirectory } from './domain/ldap/directory';
export type { DirectoryPeople, ListedPerson } from './application/ldap/directory-people';
export { pictureDigest, readPeople, readPictures } from './application/ldap/directory-people';
export { DirectoryAway } from './application/ldap/directory-away';
export { DirectoryLinks } from './application/ldap/directory-links';
export { USER_PLACEHOLDER } from './domain/ldap/directory';
export { filterForAll, isFilter } from './application/ldap/filters';
export { LdapModule } from './ldap.module';
export { OfferedDirectories } from './application/ldap/offered-directories';
export { directoryAccountAggregate, identityOf, suspend, takePicture } from './domain/ldap/directory-account';
