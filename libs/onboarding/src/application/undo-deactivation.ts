import type { ConflictReason, Undoer, Undone, Work } from '@annals/kernel';
import { Kernel, eventsOfAppend, undoChanges, undoConflicts } from '@annals/kernel';
import type { Recorded, UserId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { Deactivated, mayReactivate, userAggregate } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { Reactivations, verdictOnBot } from './reactivate-user';

/** Reactivates an account, and the bots that were deactivated with it (contract/audit.md section 11). */
@Injectable()
export class UndoDeactivation implements Undoer {
  readonly types = [Deactivated.type];

  constructor(
    private readonly kernel: Kernel,
    private readonly accounts: Reactivations,
  ) {}

  async undo(work: Work, event: Recorded): Promise<Undone> {
    ensure(mayReactivate(work.actor));
    const act = await eventsOfAppend(this.kernel.events, event);
    // The owner comes last in the act, and first here: bots of a deactivated owner would get another one.
    const deactivations = act.filter(({ type }) => type === Deactivated.type).reverse() as Recorded<Deactivated>[];
    const back: UserId[] = [];
    const left = new Map<ConflictReason, UserId[]>();
    for (const { data, position } of deactivations) {
      const reason = await this.obstacle(work, data.userId, position);
      if (reason !== null) left.set(reason, [...(left.get(reason) ?? []), data.userId]);
      else {
        await this.accounts.reactivate(work, data.userId);
        back.push(data.userId);
      }
    }
    return {
      changes: undoChanges('user', back, { property: 'is_active', before: false, after: true }),
      conflicts: undoConflicts('user', Object.fromEntries(left)),
    };
  }

  private async obstacle(work: Work, userId: UserId, position: number): Promise<ConflictReason | null> {
    const account = await work.read(userAggregate, userId);
    if (!account || account.status.kind === 'deleted') return 'deleted';
    if (account.status.kind === 'active' || account.status.since !== position) return 'changed';
    return (await verdictOnBot(work, account.botType)).allowed ? null : 'not_allowed';
  }
}
