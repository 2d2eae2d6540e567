import { AsOfQuestions, PastActors } from '@annals/realm';
import { TargetGroups, UsersModule } from '@annals/users';
import { Authenticator } from '@annals/kernel';
import { Global, Module } from '@nestjs/common';
import { ChangeGroupHandler, GroupChanges } from './application/change-group';
import { AuditingBots } from './application/auditing-bots';
import { ChangeMembersHandler, GroupMembers } from './application/change-members';
import { ChangeSubgroupsHandler } from './application/change-subgroups';
import { CreateGroupHandler } from './application/create-group';
import { DeactivateGroupHandler, GroupDeactivations } from './application/deactivate-group';
import { DirectoryGroups } from './application/directory-groups';
import { GroupValues } from './application/group-values';
import { NamesInUse } from './application/names-in-use';
import { UndoGroupDeactivation } from './application/undo-group-deactivation';
import { UndoMembers } from './application/undo-members';
import { ActorReader } from './read/actor-reader';
import { GroupFacts } from './read/group-facts';
import { GroupsOfAccounts } from './read/groups-of-accounts';
import { PastActorReader } from './read/past-actor-reader';
import { MembersOfTargetGroups } from './read/members-of-target-groups';
import { ListGroupsHandler } from './read/list-groups';
import { GroupContents, IsMemberHandler, ListMembersHandler, ListSubgroupsHandler } from './read/get-group-members';

/**
 * User groups, and actors with all their groups. Needs a provider of `GroupUses`. Global, because administrators change the
 * settings of all members of a group.
 */
@Global()
@Module({
  imports: [UsersModule],
  providers: [
    ActorReader,
    { provide: Authenticator, useExisting: ActorReader },
    { provide: PastActors, useClass: PastActorReader },
    AsOfQuestions,
    GroupFacts,
    GroupsOfAccounts,
    GroupValues,
    GroupContents,
    { provide: TargetGroups, useClass: MembersOfTargetGroups },
    NamesInUse,
    GroupChanges,
    GroupMembers,
    AuditingBots,
    UndoMembers,
    UndoGroupDeactivation,
    GroupDeactivations,
    DirectoryGroups,
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
  exports: [
    ActorReader,
    AsOfQuestions,
    Authenticator,
    DirectoryGroups,
    GroupFacts,
    GroupValues,
    PastActors,
    TargetGroups,
    UndoMembers,
    UndoGroupDeactivation,
  ],
})
export class GroupsModule {}
