import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { ORGANIZATION_STREAM } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { OrganizationLimits } from '../../domain/organization/limits';
import { NO_LIMITS } from '../../domain/organization/limits';
import { ORGANIZATION_EVENTS } from '../../domain/organization/organization-events';
import type { Reactivation, Standing } from '../../domain/organization/standing';
import { standingAggregate } from '../../domain/organization/standing';
import { RealmCreated } from '../../domain/events';
import { reject } from '../../domain/rejections';
import type { OrganizationRow } from './organization-row';
import { readOrganization } from './organization-row';

const ONLY = 'organization';
const TYPES: ReadonlySet<string> = new Set([RealmCreated, ...ORGANIZATION_EVENTS].map(({ type }) => type));

/** What the operator decided about organizations, cached in the process. Exact after the fence. */
@Injectable()
export class OrganizationFacts {
  private readonly organizations: FactCache<OrganizationRow>;

  constructor(private readonly kernel: Kernel) {
    this.organizations = kernel.facts<OrganizationRow>({
      touched: ({ type }) => (TYPES.has(type) ? [ONLY] : []),
      load: async (realmId) => {
        const row = await readOrganization(kernel.database.pool, realmId);
        return new Map(row ? [[ONLY, row]] : []);
      },
    });
  }

  /** @returns undefined when there is no such organization */
  find(realmId: RealmId): Promise<OrganizationRow | undefined> {
    return this.organizations.get(realmId, ONLY);
  }

  async limits(realmId: RealmId): Promise<OrganizationLimits> {
    return (await this.find(realmId))?.limits ?? NO_LIMITS;
  }

  async standing(realmId: RealmId): Promise<Standing> {
    return (await this.kernel.aggregates.load(realmId, standingAggregate, ORGANIZATION_STREAM)).state;
  }

  /** The last reactivation of an organization that can be used. Null if it was never deactivated. */
  async reactivation(realmId: RealmId): Promise<Reactivation | null> {
    const standing = await this.standing(realmId);
    return standing.kind === 'active' ? standing.reactivated : null;
  }

  /**
   * @returns the version of the organization's stream, on which what follows depends
   * @throws Rejected REALM_DEACTIVATED, and NONEXISTENT_SUBDOMAIN for one that is being deleted: its log goes first
   */
  async ensureActive(realmId: RealmId): Promise<number> {
    if (this.kernel.fence.isGone(realmId)) throw reject.noSuchOrganization();
    const { state, version } = await this.kernel.aggregates.load(realmId, standingAggregate, ORGANIZATION_STREAM);
    if (state.kind === 'deactivated') throw reject.organizationDeactivated();
    return version;
  }
}
