import type { Guard } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
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

/** The part of a key that other appends know. */
const firstNumber = (key: string): string => key.slice(0, key.indexOf(':'));

/** @param newest id of the newest draft of the account. 0 if it has none */
export const draftsKey = (userId: UserId, newest: number): string => `${userId}:${newest}`;

/**
 * Key: an account and its newest draft (`draftsKey`). Fails when the account has a newer one. A command that saves drafts
 * declares the account as changed.
 */
export const draftsKnown: Guard = {
  name: 'drafts-known',
  failing: `SELECT k.ord::int4 AS ord FROM (SELECT realm_id, split_part(key, ':', 1)::int8 AS user_id,
      split_part(key, ':', 2)::int8 AS newest, ord
      FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)) AS k
    WHERE EXISTS (SELECT FROM view.drafts AS d
      WHERE d.realm_id = k.realm_id AND d.user_id = k.user_id AND d.draft_id > k.newest)`,
  concerns: firstNumber,
};
