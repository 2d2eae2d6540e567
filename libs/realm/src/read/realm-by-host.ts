import { Kernel, RealmByHost } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { realmAggregate } from '../domain/realm';
import { reject } from '../domain/rejections';
import { ServerAddress } from '../server-address';

/** Finds the organization of a host name. The lookup includes its fence. */
@Injectable()
export class SubdomainRealms extends RealmByHost {
  /** Subdomains never change, so a result remains true. */
  private readonly known = new Map<string, RealmId>();

  constructor(
    private readonly kernel: Kernel,
    private readonly address: ServerAddress,
  ) {
    super();
  }

  override async realmOf(host: string, maxAgeMs = 0): Promise<RealmId> {
    const subdomain = this.address.subdomainOf(host);
    const realmId = this.known.get(subdomain) ?? (await this.find(subdomain));
    if (maxAgeMs > 0) await this.kernel.fence.reachRecent(realmId, maxAgeMs);
    else await this.kernel.fence.reach(realmId);
    return realmId;
  }

  private async find(subdomain: string): Promise<RealmId> {
    const realmId = await findRealm(this.kernel, subdomain);
    if (realmId === undefined) throw reject.noSuchOrganization();
    this.known.set(subdomain, realmId);
    return realmId;
  }
}

/** @returns undefined when there is no such organization */
export async function subdomainOf(kernel: Kernel, realmId: RealmId): Promise<string | undefined> {
  const { rows } = await kernel.database.pool.query<{ subdomain: string }>({
    name: 'subdomain-of-realm',
    text: 'SELECT subdomain FROM view.realms WHERE realm_id = $1',
    values: [realmId],
  });
  return rows[0]?.subdomain;
}

/**
 * The same as `findRealm` without read models: an upgrade asks before those of its release are built. Reads one event of
 * each organization.
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
    text: 'SELECT realm_id FROM view.realms WHERE subdomain = $1',
    values: [subdomain],
  });
  return rows[0]?.realm_id;
}
