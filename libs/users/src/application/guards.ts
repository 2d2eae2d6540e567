import type { Guard } from '@annals/kernel';

/**
 * Key: an email in the form of `emailKey`. Fails when an account has it. A scalar subquery finds each key by the index. A semi-join
 * that was planned while there were few accounts goes on to read all of them.
 */
export const emailFree: Guard = {
  name: 'email-free',
  failing: `SELECT g.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS g(realm_id, key, ord)
    WHERE (SELECT true FROM view.users u WHERE u.realm_id = g.realm_id AND u.email_key = g.key LIMIT 1)`,
};

/** Key: a name in the form of `personKey`. Fails when an account has it. Used if names must be unique. Looked up as above. */
export const nameFree: Guard = {
  name: 'name-free',
  failing: `SELECT g.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS g(realm_id, key, ord)
    WHERE (SELECT true FROM view.users u WHERE u.realm_id = g.realm_id AND u.name_key = g.key LIMIT 1)`,
};

/**
 * Key: an account's id. Fails when there is no such active account. A command that deactivates an account declares it
 * as changed.
 */
export const stillActive: Guard = {
  name: 'still-active',
  failing: `SELECT g.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS g(realm_id, key, ord)
    WHERE NOT EXISTS (SELECT FROM view.users u WHERE u.realm_id = g.realm_id AND u.user_id = g.key::int8 AND u.is_active)`,
};

/** The only key of `lastOwner`: a command that removes one owner depends on all of them. */
export const OWNERS = 'owners';

/** Fails when fewer than two people are active owners, so that none can be removed. */
export const lastOwner: Guard = {
  name: 'last-owner',
  failing: `SELECT g.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS g(realm_id, key, ord)
    WHERE (SELECT count(*) FROM view.users u WHERE u.realm_id = g.realm_id AND u.role = 100
      AND u.is_active AND u.bot_type IS NULL) < 2`,
};

/** What every command declares as changed that makes an account of a person usable. */
export const PEOPLE = 'people';

/** Key: a number of people. Fails when so many accounts of people are active, so that no other can become so. */
export const peopleRoom: Guard = {
  name: 'people-room',
  failing: `SELECT g.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS g(realm_id, key, ord)
    WHERE (SELECT count(*) FROM view.users u WHERE u.realm_id = g.realm_id AND u.is_active AND u.bot_type IS NULL)
      >= g.key::int8`,
  concerns: () => PEOPLE,
};
