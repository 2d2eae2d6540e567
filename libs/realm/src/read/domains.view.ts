import { defineProjection, on } from '@annals/kernel';
import { DomainAdded, DomainRemoved, DomainSubdomainsChosen } from '../domain/domain-events';

/** The domains that emails may be restricted to. */
export const domainsView = defineProjection({
  name: 'realm_domains',
  version: 1,
  lifecycle: 'inline',
  tables: {
    realm_domains: {
      columns: {
        domain_id: 'int4',
        /** Null once it was erased. */
        domain: 'text',
        allow_subdomains: 'bool',
      },
      key: ['domain_id'],
      sealed: ['domain'],
    },
  },
  handlers: [
    on(DomainAdded, ({ data, sealed }, rows) =>
      rows.insert('realm_domains', {
        domain_id: data.domainId,
        domain: sealed === 'erased' ? null : sealed.domain,
        allow_subdomains: data.allowSubdomains,
      }),
    ),
    on(DomainSubdomainsChosen, ({ data }, rows) =>
      rows.update('realm_domains', { domain_id: data.domainId }, { allow_subdomains: data.allowSubdomains }),
    ),
    on(DomainRemoved, ({ data }, rows) => rows.delete('realm_domains', { domain_id: data.domainId })),
  ],
});
