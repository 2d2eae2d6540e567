import { ActorReader, GroupsModule, PastAuthenticator } from '@annals/groups';
import type { Kernel } from '@annals/kernel';
import { Authenticator, RealmByHost } from '@annals/kernel';
import { EmailDirectory, UsersModule } from '@annals/users';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';

/** Logins to a past, with the keys of today. */
@Module({})
export class PastLoginModule {
  /** @param live kernel of the present */
  static of(live: Kernel): DynamicModule {
    return {
      module: PastLoginModule,
      imports: [UsersModule, GroupsModule],
      providers: [
        {
          provide: Authenticator,
          inject: [RealmByHost, ActorReader, EmailDirectory],
          useFactory: (hosts: RealmByHost, actors: ActorReader, book: EmailDirectory) =>
            new PastAuthenticator(live, { hosts, actors, book }),
        },
      ],
      exports: [Authenticator],
    };
  }
}
