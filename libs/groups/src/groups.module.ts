import { UsersModule } from '@annals/users';
import { Authenticator } from '@annals/kernel';
import { Module } from '@nestjs/common';
import { ChangeGroupHandler } from './application/change-group';
import { ChangeMembersHandler } from './application/change-members';
import { ChangeSubgroupsHandler } from './application/change-subgroups';
import { CreateGroupHandler } from './application/create-group';
import { DeactivateGroupHandler } from './application/deactivate-group';
import { GroupValues } from './application/group-values';
import { NamesInUse } from './application/names-in-use';
import { ActorReader } from './read/actor-reader';
import { GroupFacts } from './read/group-facts';
import { GroupsOfAccounts } from './read/groups-of-accounts';
import { ListGroupsHandler } from './read/list-groups';
import { GroupContents, IsMemberHandler, ListMembersHandler, ListSubgroupsHandler } from './read/get-group-members';

/** User groups, and actors with all their groups. Needs a provider of `GroupUses`. */
@Module({
  imports: [UsersModule],
  providers: [
    ActorReader,
    { provide: Authenticator, useExisting: ActorReader },
    GroupFacts,
    GroupsOfAccounts,
    GroupValues,
    GroupContents,
    NamesInUse,
    CreateGroupHandler,
    ChangeGroupHandler,
    ChangeMembersHandler,
    ChangeSubgroupsHandler,
    DeactivateGroupHandler,
    ListGroupsHandler,
    ListMembersHandler,
    IsMemberHandler,
    ListSubgroupsHandler,
  ],
  exports: [ActorReader, Authenticator, GroupFacts, GroupValues],
})
export class GroupsModule {}
