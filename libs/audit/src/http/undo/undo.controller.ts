import type { UndoneAct } from '../../application/undo-act';
import { UndoAct } from '../../application/undo-act';
import { CONFLICT_REASONS } from '@annals/kernel';
import type { Actor, Position } from '@annals/kernel/domain';
import { t, words } from '@annals/kernel/domain';
import { BooleanParam, By, Endpoint, IntegerParam, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

class UndoParams {
  @IntegerParam({ min: 1, about: 'The position of an event of the act.' }) position: Position;
  @BooleanParam({ optional: true, about: 'Answer what would change, and change nothing.' }) dry_run = false;
}

const subjects = t.Array(t.String());

/** Undo of single acts (contract/audit.md section 11). */
@Controller()
export class UndoController {
  constructor(private readonly commands: CommandBus) {}

  @Endpoint('POST', 'audit/undo', {
    audience: 'anyone',
    section: 'audit 11',
    summary: 'Undo an act',
    command: 'UndoAct',
    returns: t.Object({
      changes: t.Array(t.Object({ subjects, property: t.String(), before: t.Unknown(), after: t.Unknown() })),
      conflicts: t.Array(t.Object({ subjects, reason: words(...CONFLICT_REASONS) })),
      positions: t.Optional(t.Array(t.Integer())),
    }),
  })
  async undo(@By() by: Actor, @Params(UndoParams) { position, dry_run: isDryRun }: UndoParams) {
    const { positions, ...undone }: UndoneAct = await this.commands.execute(new UndoAct(by, position, isDryRun));
    return positions === null ? undone : { ...undone, positions };
  }
}
