import type { Guard } from '@annals/kernel';
import { MAX_SNIPPETS } from '../domain/snippet';

/**
 * Key: an account's id. Fails when it has the maximum number of snippets. A command that saves one declares it as
 * changed.
 */
export const snippetRoom: Guard = {
  name: 'snippet-room',
  failing: `SELECT g.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS g(realm_id, key, ord)
    WHERE (SELECT count(*) FROM view.saved_snippets AS s
      WHERE s.realm_id = g.realm_id AND s.user_id = g.key::int8) >= ${MAX_SNIPPETS}`,
};
