import type { SystemActor, UnitOfWork, Work } from '@annals/kernel';
import { ORGANIZATION_STREAM } from '@annals/kernel/domain';
import type { Reactivation } from '../../domain/organization/standing';
import { standingAggregate } from '../../domain/organization/standing';
import { reject } from '../../domain/rejections';

/** Somebody who acts without an account: on a page, to log in, or as a program with a token of the organization. */
export type Visitor = Pick<SystemActor, 'realmId' | 'origin'>;

/**
 * Runs a command of a visitor. As for accounts, nothing is stored for an organization that is deactivated, also if this happens while the
 * command is decided.
 *
 * @throws Rejected REALM_DEACTIVATED, and what `decide` refuses
 */
export function runAsVisitor<T>(
  units: UnitOfWork,
  { realmId, origin }: Visitor,
  decide: (work: Work) => Promise<T>,
): Promise<T> {
  return units.run({ realmId, userId: null, origin }, async (work) => {
    await ensureUsable(work);
    return decide(work);
  });
}

/**
 * Requires that the organization can be used when the append is stored.
 *
 * @returns its last reactivation. Null if it was never deactivated
 * @throws Rejected REALM_DEACTIVATED
 */
export async function ensureUsable(work: Work): Promise<Reactivation | null> {
  const standing = await work.read(standingAggregate, ORGANIZATION_STREAM);
  if (standing.kind === 'deactivated') throw reject.organizationDeactivated();
  return standing.reactivated;
}
