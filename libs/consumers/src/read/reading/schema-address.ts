import type { RealmId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { Injectable } from '@nestjs/common';

/** Where the schemas of events are: CloudEvents require a whole URI. */
@Injectable()
export class SchemaAddress {
  constructor(
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /** Canonical address of an organization. */
  async origin(realmId: RealmId): Promise<string> {
    return this.address.urlOf((await this.realms.of(realmId)).subdomain);
  }

  /** The URL of the schemas of an organization, without the name of one. */
  async of(realmId: RealmId): Promise<string> {
    return `${await this.origin(realmId)}/api/v1/feed/schemas`;
  }
}
