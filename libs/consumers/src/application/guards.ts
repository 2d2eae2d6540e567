import type { Guard } from '@annals/kernel';
import { MAX_CONSUMERS, MAX_OWN_CONSUMERS } from '../domain/rejections';

/** Key: a name. Fails when a consumer has it. A command that creates or deletes one declares it as changed. */
export const consumerNameFree: Guard = {
  name: 'consumer-name-free',
  failing: `SELECT g.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS g(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.consumers AS c WHERE c.realm_id = g.realm_id AND c.name = g.key)`,
};

/** What other appends know of a key of `consumerRoom`: that the organization has another consumer. */
export const ANOTHER_CONSUMER = 'all';

/**
 * Key: an account's id. Fails when it, or its organization, has the maximum number of consumers. A command that creates one
 * declares it as changed for all accounts.
 */
export const consumerRoom: Guard = {
  name: 'consumer-room',
  failing: `SELECT g.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS g(realm_id, key, ord)
    CROSS JOIN LATERAL (SELECT count(*) AS total, count(*) FILTER (WHERE c.owner_id = g.key::int8) AS own
      FROM view.consumers AS c WHERE c.realm_id = g.realm_id) AS existing
    WHERE existing.total >= ${MAX_CONSUMERS} OR existing.own >= ${MAX_OWN_CONSUMERS}`,
  concerns: () => ANOTHER_CONSUMER,
};
