import type { GroupId, Recorded, UserId } from '@annals/kernel/domain';
import type { MembersAdded, MembersRemoved, SubgroupsAdded, SubgroupsRemoved } from './events';

export type MembershipEvent = MembersAdded | MembersRemoved | SubgroupsAdded | SubgroupsRemoved;

/** The members of an act that are as it left them, and those that later acts added or removed. */
export interface RemainingMembers<Id> {
  readonly unchanged: readonly Id[];
  readonly changed: readonly Id[];
}

/**
 * Divides the members that an act added or removed.
 *
 * @param later events of the same group after the act
 */
export function remainingMembers<Id extends UserId | GroupId>(
  ids: readonly Id[],
  later: readonly Recorded<MembershipEvent>[],
): RemainingMembers<Id> {
  const touched = new Set(
    later.flatMap(({ data }): readonly number[] => ('userIds' in data ? data.userIds : data.subgroupIds)),
  );
  return { unchanged: ids.filter((id) => !touched.has(id)), changed: ids.filter((id) => touched.has(id)) };
}
