import type { Work } from '@annals/kernel';
import type { GroupId, UserId } from '@annals/kernel/domain';

/**
 * Notices of the notification bot about groups, in the append of the act that they report. A context that knows
 * messages provides it.
 */
export abstract class GroupNotices {
  /**
   * Writes to everybody but the actor and bots that they were added to a group or removed from it (contract/groups.md
   * section 4).
   *
   * @param added who became a direct member, each once
   * @param removed who ceased to be one, each once
   */
  abstract membersChanged(
    work: Work,
    group: { readonly id: GroupId; readonly name: string },
    added: readonly UserId[],
    removed: readonly UserId[],
  ): Promise<void>;
}
