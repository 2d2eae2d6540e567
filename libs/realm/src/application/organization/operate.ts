import type { Kernel, Work } from '@annals/kernel';
import { systemActor } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { ORGANIZATION_STREAM } from '@annals/kernel/domain';
import {
  ADDRESSES,
  addHost as added,
  addressesAggregate,
  changeSubdomain,
  checkedHost,
  removeHost as removed,
} from '../../domain/organization/addresses';
import type { OrganizationLimits } from '../../domain/organization/limits';
import { LIMITS, changeLimits, limitsAggregate } from '../../domain/organization/limits';
import {
  afterDays,
  deactivate,
  reactivate,
  scheduleDeletion,
  standingAggregate,
} from '../../domain/organization/standing';
import { realmAggregate, renameByOperator } from '../../domain/realm';
import { reject } from '../../domain/rejections';
import type { ServerAddress } from '../../server-address';
import { readOrganization } from '../../read/organization/organization-row';
import { claim, hostFree, subdomainFree } from './guards';

/** A new name, a new subdomain, or both. */
export interface Renaming {
  readonly name?: string | undefined;
  readonly subdomain?: string | undefined;
}

/**
 * Gives an organization another name or subdomain. The old subdomain finds nothing any more.
 *
 * @throws Rejected BAD_REQUEST for an invalid name or subdomain, or one that another organization has
 */
export async function renameOrganization(
  kernel: Kernel,
  realmId: RealmId,
  { name, subdomain }: Renaming,
): Promise<void> {
  await operate(kernel, realmId, async (work) => {
    if (name !== undefined) await work.decide(realmAggregate, 'realm', (state) => renameByOperator(state, name));
    if (subdomain !== undefined) await moveTo(kernel, work, subdomain);
  });
}

async function moveTo(kernel: Kernel, work: Work, subdomain: string): Promise<void> {
  const state = await work.read(addressesAggregate, ADDRESSES);
  const present = state.subdomain ?? (await readOrganization(kernel.database.pool, work.realmId))?.subdomain ?? '';
  const moves = await work.decide(addressesAggregate, ADDRESSES, () => changeSubdomain(present, subdomain));
  if (moves.length > 0) await claimSubdomain(kernel, work, subdomain);
}

/** @throws Rejected BAD_REQUEST when another organization has it */
export async function claimSubdomain({ database }: Kernel, work: Work, subdomain: string): Promise<void> {
  claim(work, subdomainFree, subdomain);
  const { rowCount } = await database.pool.query(
    `SELECT FROM view.organization_subdomains AS s
     WHERE s.subdomain = $1 AND s.to_position IS NULL AND s.realm_id <> $2 LIMIT 1`,
    [subdomain, work.realmId],
  );
  if (rowCount !== 0) throw reject.subdomainTaken();
}

/**
 * Lets a host name mean an organization, beside its subdomain.
 *
 * @throws Rejected BAD_REQUEST for what is no host name, the server's own one, or one that means another organization
 */
export async function addHost(
  kernel: Kernel,
  address: ServerAddress,
  realmId: RealmId,
  written: string,
): Promise<void> {
  await operate(kernel, realmId, (work) => claimHost(kernel, address, work, written));
}

/** The same in a unit of work. */
export async function claimHost(kernel: Kernel, address: ServerAddress, work: Work, written: string): Promise<void> {
  const host = checkedHost(written);
  if (address.isOwn(host)) throw reject.serverHost({ host });
  claim(work, hostFree, host);
  const { rowCount } = await kernel.database.pool.query(
    'SELECT FROM view.organization_hosts AS h WHERE h.host = $1 AND h.realm_id <> $2 LIMIT 1',
    [host, work.realmId],
  );
  if (rowCount !== 0) throw reject.hostTaken({ host });
  await work.decide(addressesAggregate, ADDRESSES, (state) => added(state, host));
}

/** @throws Rejected BAD_REQUEST when the organization does not have this host name */
export async function removeHost(kernel: Kernel, realmId: RealmId, written: string): Promise<void> {
  await operate(kernel, realmId, (work) =>
    work.decide(addressesAggregate, ADDRESSES, (state) => removed(state, checkedHost(written))),
  );
}

/** Sets some limits of an organization, or removes them. */
export async function limitOrganization(
  kernel: Kernel,
  realmId: RealmId,
  changes: Partial<OrganizationLimits>,
): Promise<void> {
  await operate(kernel, realmId, (work) =>
    work.decide(limitsAggregate, LIMITS, (state) => changeLimits(state, changes)),
  );
}

/** Nobody can use the organization any more. May be repeated. */
export async function deactivateOrganization(kernel: Kernel, realmId: RealmId): Promise<void> {
  await operate(kernel, realmId, (work) =>
    work.decide(standingAggregate, ORGANIZATION_STREAM, (state) => deactivate(state)),
  );
}

/**
 * Deactivates an organization, to be deleted after a grace period in which it can be reactivated.
 *
 * @returns when it is deleted
 */
export async function deleteOrganization(kernel: Kernel, realmId: RealmId, afterSoManyDays: number): Promise<Instant> {
  const at = afterDays(kernel.clock.now(), afterSoManyDays);
  await operate(kernel, realmId, (work) =>
    work.decide(standingAggregate, ORGANIZATION_STREAM, (state) => scheduleDeletion(state, at)),
  );
  return at;
}

/** Everybody can use the organization again, and it is not deleted. May be repeated. */
export async function reactivateOrganization(kernel: Kernel, realmId: RealmId): Promise<void> {
  await operate(kernel, realmId, (work) => work.decide(standingAggregate, ORGANIZATION_STREAM, reactivate));
}

/** The operator has no account, so the server itself is the actor. */
const operate = (kernel: Kernel, realmId: RealmId, act: (work: Work) => Promise<unknown>) =>
  kernel.work.run(systemActor(realmId), act);
