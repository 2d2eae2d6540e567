import { UsersModule } from '@annals/users';
import { Authenticator } from '@annals/web';
import { Module } from '@nestjs/common';
import { GroupValues } from './application/group-values';
import { GroupsController } from './http/groups.controller';
import { ActorReader } from './read/actor-reader';
import { GroupFacts } from './read/group-facts';
import { ListGroupsHandler } from './read/list-groups';

/** User groups, and who somebody is with all the groups they are in. */
@Module({
  imports: [UsersModule],
  providers: [
    ActorReader,
    { provide: Authenticator, useExisting: ActorReader },
    GroupFacts,
    GroupValues,
    ListGroupsHandler,
  ],
  exports: [ActorReader, Authenticator, GroupFacts, GroupValues],
})
export class GroupsModule {}

@Module({ imports: [GroupsModule], controllers: [GroupsController] })
export class GroupsHttpModule {}
