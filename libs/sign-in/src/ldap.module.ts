import { GroupsModule } from '@annals/groups';
import { RealmFacts } from '@annals/realm';
import { UsersModule } from '@annals/users';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { DirectoryJoining } from './application/ldap/directory-joining';
import { DirectoryLinks } from './application/ldap/directory-links';
import { LdapPasswords } from './application/ldap/ldap-passwords';
import { OfferedDirectories } from './application/ldap/offered-directories';
import type { LdapDirectory } from './domain/ldap/directory';

/** The directories of organizations, and the accounts that belong to their entries. */
@Module({})
export class LdapModule {
  /** @param directories those of the operator's file */
  static with(directories: readonly LdapDirectory[]): DynamicModule {
    const offered = {
      provide: OfferedDirectories,
      inject: [RealmFacts],
      useFactory: (realms: RealmFacts) => new OfferedDirectories(directories, realms),
    };
    return {
      module: LdapModule,
      global: true,
      imports: [UsersModule, GroupsModule],
      providers: [offered, DirectoryLinks, DirectoryJoining, LdapPasswords],
      exports: [OfferedDirectories, DirectoryLinks],
    };
  }
}
