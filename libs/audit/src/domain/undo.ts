import type { Actor, Recorded, Verdict } from '@annals/kernel/domain';
import { allowedIf, isAdministrator } from '@annals/kernel/domain';
import { reject } from './rejections';

/**
 * Administrators may undo any act, and other users their own (contract/audit.md section 11). The user must be allowed to do the
 * counterpart by hand, too.
 */
export const mayUndo = (actor: Pick<Actor, 'userId' | 'role'>, act: Pick<Recorded, 'actorId'>): Verdict =>
  allowedIf(isAdministrator(actor) || act.actorId === actor.userId, reject.mayNotUndo);
