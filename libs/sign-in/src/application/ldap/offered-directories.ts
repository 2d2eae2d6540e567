import type { RealmId } from '@annals/kernel/domain';
import type { RealmFacts } from '@annals/realm';
import type { LdapDirectory } from '../../domain/ldap/directory';
import { isFor } from '../../domain/single-sign-on/providers';

/** The directories of the operator's file, by organization. Whether the organization allows them is asked separately. */
export class OfferedDirectories {
  constructor(
    readonly all: readonly LdapDirectory[],
    private readonly realms: RealmFacts,
  ) {}

  /** The directory that the organization uses. Null if it has none. */
  async of(realmId: RealmId): Promise<LdapDirectory | null> {
    if (this.all.length === 0) return null;
    const { subdomain } = await this.realms.of(realmId);
    return this.all.find((one) => isFor(subdomain, one)) ?? null;
  }
}
