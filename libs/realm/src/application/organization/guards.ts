import type { Guard, Work } from '@annals/kernel';

/** Key: a subdomain. Fails when another organization of the server has it. */
export const subdomainFree: Guard = {
  name: 'subdomain-free',
  isOfServer: true,
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.organization_subdomains AS s
      WHERE s.subdomain = k.key AND s.to_position IS NULL AND s.realm_id <> k.realm_id)`,
};

/** Key: a host name. Fails when another organization of the server has it. */
export const hostFree: Guard = {
  name: 'host-free',
  isOfServer: true,
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.organization_hosts AS h WHERE h.host = k.key AND h.realm_id <> k.realm_id)`,
};

/** Claims an address that only one organization of the server may have. */
export function claim(work: Work, guard: Guard, name: string): void {
  work.guard(guard, name);
  work.changesGuard(guard, name);
}
