import type { RealmSearch } from '@annals/kernel';
import { Kernel, RealmByHost, lastUsed } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { realmAggregate } from '../../domain/realm';
import { reject } from '../../domain/rejections';
import { ServerAddress } from '../../server-address';
import { OrganizationFacts } from './organization-facts';

/** Most host names that are remembered. Callers choose them. */
const MAX_HOSTS = 10_000;
/** How long (ms) a host name may still mean the first organization after it was given to another one elsewhere. */
const FALLBACK_MS = 1_000;

interface Found {
  readonly realmId: RealmId;
  /** The host is nobody's own, so that it means the organization at the server's own host. */
  readonly isFallback: boolean;
  readonly at: Instant;
}

/**
 * Finds the organization of a host name: its own one, or a subdomain of the server's host. Any other host means the
 * organization of the server's own host. The lookup includes the fence of the organization. What is remembered is
 * compared with the organization's present addresses, so an address that it has left finds it no more, in any process.
 */
@Injectable()
export class AddressedRealms extends RealmByHost {
  private readonly known = lastUsed<Found>(MAX_HOSTS);

  constructor(
    private readonly kernel: Kernel,
    private readonly address: ServerAddress,
    private readonly organizations: OrganizationFacts,
  ) {
    super();
  }

  override async realmOf(host: string, search: RealmSearch = {}): Promise<RealmId> {
    const realmId = await this.found(host, search);
    if (!search.isDeactivatedToo) await this.organizations.ensureActive(realmId);
    return realmId;
  }

  private async found(host: string, search: RealmSearch): Promise<RealmId> {
    const known = this.remembered(host);
    if (known && (await this.isAt(known.realmId, host, search))) return known.realmId;
    const found = await this.find(host);
    if (!(await this.isAt(found.realmId, host, search))) throw reject.noSuchOrganization();
    this.known.set(host, found);
    return found.realmId;
  }

  private remembered(host: string): Found | undefined {
    const known = this.known.get(host);
    if (!known?.isFallback || this.address.isOwn(host)) return known;
    return this.kernel.clock.now() - known.at < FALLBACK_MS ? known : undefined;
  }

  private async isAt(realmId: RealmId, host: string, { maxAgeMs = 0 }: RealmSearch): Promise<boolean> {
    if (maxAgeMs > 0) await this.kernel.fence.reachRecent(realmId, maxAgeMs);
    else await this.kernel.fence.reach(realmId);
    // Its read models are there until everything of it is deleted.
    if (this.kernel.fence.isGone(realmId)) return false;
    const organization = await this.organizations.find(realmId);
    if (!organization) return false;
    return organization.hosts.includes(host) || organization.subdomain === this.address.subdomainOf(host);
  }

  private async find(host: string): Promise<Found> {
    const subdomain = this.address.subdomainOf(host);
    const { rows } = await this.kernel.database.pool.query<{ realmId: RealmId; isFallback: boolean }>({
      name: 'realm-by-host',
      text: `SELECT h.realm_id AS "realmId", false AS "isFallback" FROM view.organization_hosts AS h WHERE h.host = $1
        UNION ALL SELECT s.realm_id, s.subdomain = '' FROM view.organization_subdomains AS s
          WHERE s.subdomain = $2 AND s.to_position IS NULL
        ORDER BY 2 LIMIT 1`,
      values: [host, subdomain],
    });
    const [found] = rows;
    if (!found) throw reject.noSuchOrganization();
    return { ...found, at: this.kernel.clock.now() };
  }
}

/** @returns undefined when there is no such organization */
export async function subdomainOf(kernel: Kernel, realmId: RealmId): Promise<string | undefined> {
  const { rows } = await kernel.database.pool.query<{ subdomain: string }>({
    name: 'subdomain-of-realm',
    text: 'SELECT subdomain FROM view.organization_subdomains WHERE realm_id = $1 AND to_position IS NULL',
    values: [realmId],
  });
  return rows[0]?.subdomain;
}

/**
 * The organization that was created at a subdomain, without read models: an upgrade asks before those of its release are
 * built. Reads one event of each organization.
 */
export async function findRealmInLog(kernel: Kernel, subdomain: string): Promise<RealmId | undefined> {
  const { rows } = await kernel.database.pool.query<{ realm_id: RealmId }>({
    name: 'realm-by-subdomain-in-log',
    text: `SELECT h.realm_id FROM realm_heads AS h CROSS JOIN LATERAL (SELECT data FROM events AS e
        WHERE e.realm_id = h.realm_id AND e.stream = $2 AND e.version = 1 OFFSET 0) AS created
      WHERE created.data->>'subdomain' = $1 ORDER BY h.realm_id LIMIT 1`,
    values: [subdomain, realmAggregate.stream('realm')],
  });
  return rows[0]?.realm_id;
}

/** @returns undefined when no organization has this subdomain */
export async function findRealm(kernel: Kernel, subdomain: string): Promise<RealmId | undefined> {
  const { rows } = await kernel.database.pool.query<{ realm_id: RealmId }>({
    name: 'realm-by-subdomain',
    text: 'SELECT realm_id FROM view.organization_subdomains WHERE subdomain = $1 AND to_position IS NULL',
    values: [subdomain],
  });
  return rows[0]?.realm_id;
}
