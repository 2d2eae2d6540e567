export { GroupsHttpModule, GroupsModule } from './groups.module';
export { groupsContext } from './groups.context';
export {
  GroupCreated,
  MembersAdded,
  MembersRemoved,
  SubgroupsAdded,
  SubgroupsRemoved,
  SystemGroupCreated,
} from './domain/events';
export type { Group } from './domain/group';
export { groupAggregate } from './domain/group';
export type { Nesting } from './domain/nesting';
export type { GroupRules } from './domain/policies';
export { mayMentionGroup } from './domain/policies';
export { allSystemGroups, createSystemGroups, isFullMember } from './domain/system-groups';
export { GroupNotices } from './application/group-notices';
export type { ChannelUse } from './application/group-uses';
export { GroupUses } from './application/group-uses';
export { GroupValues } from './application/group-values';
export { ActorReader } from './read/actor-reader';
export type { Groups } from './read/group-facts';
export { GroupFacts } from './read/group-facts';
export type { GroupHistory, Holder, Moment } from './read/group-history';
export { readGroupHistory } from './read/group-history';
export type { GroupRow } from './read/group-row';
export { readGroups } from './read/group-row';
export type { Membership } from './read/membership';
export { readMembership } from './read/membership';
export type { Regrouping } from './read/regroupings';
export { readRegroupings } from './read/regroupings';
export { readRoleHistory } from './read/spans';
export { groupShape } from './http/shapes';
