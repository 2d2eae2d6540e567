export { GroupsModule } from './groups.module';
export { groupsContext } from './groups.context';
export {
  GroupCreated,
  GroupDeactivated,
  GroupReactivated,
  GroupRenamed,
  MembersAdded,
  MembersRemoved,
  SubgroupsAdded,
  SubgroupsRemoved,
  SystemGroupCreated,
} from './domain/events';
export type { Group } from './domain/group';
export { groupAggregate } from './domain/group';
export type { Nesting } from './domain/nesting';
export { mayCreateGroups, mayMentionGroup } from './domain/policies';
export { createSystemGroups, displayName } from './domain/system-groups';
export { GroupNotices } from './application/group-notices';
export type { ChannelUse } from './application/group-uses';
export { GroupUses } from './application/group-uses';
export { GroupValues } from './application/group-values';
export type { MembershipChange } from './application/directory-groups';
export { DirectoryGroups } from './application/directory-groups';
export { ensureMayAddOthers, groupsToAddOthers } from './application/ensure-may-add-others';
export { joinGroups } from './application/join-groups';
export { UndoGroupDeactivation } from './application/undo-group-deactivation';
export { UndoMembers } from './application/undo-members';
export { checkedSettings } from './application/checked-settings';
export { ActorReader } from './read/actor-reader';
export { PastActorReader } from './read/past-actor-reader';
export { GroupsOfAccounts } from './read/groups-of-accounts';
export { PastAuthenticator } from './read/past/past-authenticator';
export type { Groups } from './read/group-facts';
export { GroupFacts } from './read/group-facts';
export type { GroupHistory } from './read/group-history';
export { readGroupHistory } from './read/group-history';
export type { GroupMembership } from './read/membership';
export { readMembership } from './read/membership';
export type { FullMemberChange } from './read/full-member-changes';
export { readFullMemberChanges } from './read/full-member-changes';
export { readRoleHistory } from './read/spans';
