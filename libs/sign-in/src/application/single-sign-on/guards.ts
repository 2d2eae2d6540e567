import type { Guard } from '@annals/kernel';
import type { ProviderIdentity } from '../../domain/single-sign-on/identities';

/** Key of `identityFree`. An issuer contains no line break. */
export const identityKey = ({ issuer, subject }: ProviderIdentity): string => `${issuer}\n${subject}`;

/** Key: that of an identity. Fails when an account has it. */
export const identityFree: Guard = {
  name: 'identity-free',
  failing: `SELECT g.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS g(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.sign_in_identities i WHERE i.realm_id = g.realm_id
      AND i.issuer = split_part(g.key, E'\\n', 1) AND i.subject = substr(g.key, strpos(g.key, E'\\n') + 1))`,
};
