import type { RealmId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { Injectable } from '@nestjs/common';

/** The addresses of the pages on which people join. */
@Injectable()
export class JoinAddresses {
  constructor(
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /** Of an invitation. */
  invitation(realmId: RealmId, token: string): Promise<string> {
    return this.at(realmId, `/join/${token}/`);
  }

  /** Of somebody who proves by it that an address is theirs. */
  confirmation(realmId: RealmId, token: string): Promise<string> {
    return this.at(realmId, `/accounts/do_confirm/${token}`);
  }

  /** A page of the organization. @param path begins with a slash */
  async at(realmId: RealmId, path: string): Promise<string> {
    const { subdomain } = await this.realms.of(realmId);
    return `${this.address.urlOf(subdomain)}${path}`;
  }
}
