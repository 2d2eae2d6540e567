import type { Work } from '@annals/kernel';
import type { GroupId, UserId } from '@annals/kernel/domain';

/**
 * Notices of the notification bot about groups, in the append of the command that they report. A context that knows
 * messages provides it.
 */
export abstract class GroupNotices {
  /**
   * Writes to users that they were added to a group or removed from it, except to the actor and to bots
   * (contract/groups.md section 4).
   *
   * @param added users who became direct members, each once
   * @param removed users who ceased to be direct members, each once
   */
  abstract membersChanged(
    work: Work,
    group: { readonly id: GroupId; readonly name: string },
    added: readonly UserId[],
    removed: readonly UserId[],
  ): Promise<void>;
}
