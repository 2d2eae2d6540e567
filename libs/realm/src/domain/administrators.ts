import type { Actor } from '@annals/kernel/domain';
import { isAdministrator } from '@annals/kernel/domain';
import { reject } from './rejections';

/** @throws Rejected UNAUTHORIZED_PRINCIPAL unless the actor is an administrator */
export function ensureAdministrator(by: Pick<Actor, 'role'>): void {
  if (!isAdministrator(by)) throw reject.administratorsOnly();
}
