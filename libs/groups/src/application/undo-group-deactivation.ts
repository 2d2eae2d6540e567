import type { Undoer, Undone, Work } from '@annals/kernel';
import { Kernel, laterEvents, undoChanges, undoConflicts } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { GroupDeactivated, GroupReactivated } from '../domain/events';
import { GroupChanges } from './change-group';

const LIFE = [GroupDeactivated.type, GroupReactivated.type];

/** Reactivates a group (contract/audit.md section 11). */
@Injectable()
export class UndoGroupDeactivation implements Undoer {
  readonly types = [GroupDeactivated.type];

  constructor(
    private readonly kernel: Kernel,
    private readonly groups: GroupChanges,
  ) {}

  async undo(work: Work, event: Recorded): Promise<Undone> {
    const { groupId } = (event as Recorded<GroupDeactivated>).data;
    // Whatever is left of the act: a refusal does not tell what others did since.
    await this.groups.managed(work, groupId);
    const later = await laterEvents(this.kernel.events, event, LIFE);
    if (later.length > 0) return { changes: [], conflicts: undoConflicts('group', { changed: [groupId] }) };
    await this.groups.change(work, groupId, { reactivate: true, settings: {}, expected: {} });
    return {
      changes: undoChanges('group', [groupId], { property: 'deactivated', before: true, after: false }),
      conflicts: [],
    };
  }
}
