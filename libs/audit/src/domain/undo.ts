import type { Actor, Recorded, Verdict } from '@annals/kernel/domain';
import { allowedIf, isAdministrator } from '@annals/kernel/domain';
import { reject } from './rejections';

/**
 * Who may undo an act: administrators any, others their own (contract/audit.md section 11). Its counterpart must be
 * allowed by hand, too.
 */
export const mayUndo = (actor: Pick<Actor, 'userId' | 'role'>, act: Pick<Recorded, 'actorId'>): Verdict =>
  allowedIf(isAdministrator(actor) || act.actorId === actor.userId, reject.mayNotUndo);
