import type { Migration } from '@annals/kernel';

/**
 * What bots remember. This is neither part of the log nor derived from it (decision 54).
 *
 * - `bot_storage`: the entries of each bot. `characters` are those of key and value.
 * - `bot_storage_sizes`: how many entries a bot has, and their characters. Whoever changes entries of a bot locks its row
 *   first, so the limits hold.
 */
const SQL = `
CREATE TABLE bot_storage (
  realm_id int4,
  bot_id int8,
  key text,
  value text NOT NULL,
  characters int4 NOT NULL,
  PRIMARY KEY (realm_id, bot_id, key)
);
ALTER TABLE bot_storage ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN value SET STATISTICS 0;

CREATE TABLE bot_storage_sizes (
  realm_id int4,
  bot_id int8,
  entries int4 NOT NULL,
  characters int8 NOT NULL,
  PRIMARY KEY (realm_id, bot_id)
) WITH (fillfactor = 50);
`;

/** The account of a key that comes without a name is searched for by the digest of the key. */
const KEYS_BY_DIGEST_SQL = `CREATE INDEX secrets_api_keys ON secrets (realm_id, value) WHERE kind = 'api-key'`;

/**
 * Who asked for a link to choose another password, for a day. The account is found later, so that the answer takes the same time for every
 * address. Many of the addresses are nobody's.
 */
const RESET_REQUESTS_SQL = `
CREATE TABLE password_reset_requests (
  realm_id int4,
  id uuid,
  email text NOT NULL,
  client text NOT NULL,
  address text,
  at int8 NOT NULL,
  PRIMARY KEY (realm_id, id)
);
ALTER TABLE password_reset_requests ALTER COLUMN email SET STATISTICS 0, ALTER COLUMN address SET STATISTICS 0;
`;

export const usersMigrations: readonly Migration[] = [
  { name: 'BotStorage', written: 1795685760000, sql: SQL },
  { name: 'KeysByDigest', written: 1795699800000, sql: KEYS_BY_DIGEST_SQL },
  { name: 'ResetRequests', written: 1795714200000, sql: RESET_REQUESTS_SQL },
];
