import type { RegisterBlock } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { AllowedDomain } from '../domain/domains';

/** A domain as clients receive it, without its id. */
type DomainRow = Omit<AllowedDomain, 'id'>;

/** The oldest first. */
export async function readDomains(client: Pool | ClientBase, realmId: RealmId): Promise<DomainRow[]> {
  const { rows } = await client.query<DomainRow>({
    name: 'realm-domains',
    text: `SELECT domain, allow_subdomains AS "allowSubdomains" FROM view.realm_domains
      WHERE realm_id = $1 AND domain IS NOT NULL ORDER BY domain_id`,
    values: [realmId],
  });
  return rows;
}

/** contract/navigation-snippets-domains.md section 3 */
export const presentDomain = ({ domain, allowSubdomains }: DomainRow) => ({
  domain,
  allow_subdomains: allowSubdomains,
});

/** contract/boot.md section 4.1 */
export const domainsRegisterBlock: RegisterBlock = {
  keys: ['realm_domains'],
  read: async ({ client, realmId }) => ({ realm_domains: (await readDomains(client, realmId)).map(presentDomain) }),
};
