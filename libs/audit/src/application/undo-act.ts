import type { Undone, Work } from '@annals/kernel';
import { Kernel, UnitOfWork, cannotBeUndone } from '@annals/kernel';
import type { Actor, Position, Recorded } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../domain/rejections';
import { mayUndo } from '../domain/undo';
import { Undoers } from './undoers';
import { AuditReads } from './audit-reads';

/** What an undo changed. Without positions it was a dry run, which changed nothing. */
export interface UndoneAct extends Undone {
  readonly positions: readonly Position[] | null;
}

/**
 * Undoes an act by its counterpart, in one append that the act caused (contract/audit.md section 11). What changed since
 * is left as it is.
 */
export class UndoAct extends Command<UndoneAct> {
  constructor(
    readonly by: Actor,
    /** Of an event of the act. */
    readonly position: Position,
    /** Decides everything and changes nothing. */
    readonly isDryRun: boolean,
  ) {
    super();
  }
}

@CommandHandler(UndoAct)
export class UndoActHandler implements ICommandHandler<UndoAct> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly undoers: Undoers,
    private readonly reads: AuditReads,
  ) {}

  async execute({ by, position, isDryRun }: UndoAct): Promise<UndoneAct> {
    const [event] = await this.kernel.events.at(by.realmId, [position]);
    if (!event) throw reject.noSuchEvent({ position });
    if (isDryRun) return this.preview(by, event);
    const decide = async (work: Work) => ({ work, undone: await this.undo(work, event) });
    const { work, undone } = await this.work.run(by, decide, { causation: `${by.realmId}:${position}` });
    return { ...undone, positions: work.positions };
  }

  /** It shows the history, so it is recorded as a read. */
  private async preview(by: Actor, event: Recorded): Promise<UndoneAct> {
    const { position } = event;
    const undone = await this.work.run(by, (work) => this.decide(work, event), { isDryRun: true });
    await this.reads.record(by, {
      endpoint: 'POST /audit/undo',
      parameters: { position, dry_run: true },
      results: undone.changes.length + undone.conflicts.length,
      words: undone.changes.some(({ property }) => property === 'topic'),
    });
    return { ...undone, positions: null };
  }

  private async undo(work: Work, event: Recorded): Promise<Undone> {
    const undone = await this.decide(work, event);
    const { changes, conflicts } = undone;
    if (changes.length > 0) return undone;
    const isErased = conflicts.length > 0 && conflicts.every(({ reason }) => reason === 'erased');
    throw cannotBeUndone(isErased ? 'erased' : 'changed_since', conflicts);
  }

  /** @throws Rejected UNAUTHORIZED_AUDIT, CANNOT_BE_UNDONE, or as the counterpart is refused by hand */
  private async decide(work: Work, event: Recorded): Promise<Undone> {
    ensure(mayUndo(work.actor, event));
    const undoer = this.undoers.of(event.type);
    // What the server itself did follows from its settings.
    if (!undoer || event.actorId === null) throw cannotBeUndone('not_undoable');
    return undoer.undo(work, event);
  }
}
