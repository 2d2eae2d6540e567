import type { RealmId } from '@annals/kernel/domain';
import { OrganizationFacts, ServerAddress } from '@annals/realm';
import { Injectable } from '@nestjs/common';

/**
 * Where logins at other systems begin. They end at the main address of the organization, which the operator entered there. A cookie
 * belongs to one host name, so they have to begin at the same one.
 */
@Injectable()
export class MainAddress {
  constructor(
    private readonly organizations: OrganizationFacts,
    private readonly address: ServerAddress,
  ) {}

  /** The main address, if the browser is at a host name of the organization's own. Otherwise null: the login can begin there. */
  async insteadOf(hostName: string, realmId: RealmId): Promise<string | null> {
    const organization = await this.organizations.find(realmId);
    return organization?.hosts.includes(hostName) ? this.address.urlOf(organization.subdomain) : null;
  }
}
