import type { Migration } from '@annals/kernel';

/**
 * What counts once and for minutes only, so it is not in the log: logins under way, and answers of identity providers that were used.
 * `digest` is that of the name that somebody presents. `value` can be read with that name alone. Times are in ms since the epoch.
 */
const SQL = `
CREATE TABLE sign_on_once (
  realm_id int4,
  kind text,
  digest bytea,
  value bytea,
  expires_at int8 NOT NULL,
  PRIMARY KEY (realm_id, kind, digest)
);
CREATE INDEX sign_on_once_expiry ON sign_on_once (realm_id, expires_at);
`;

export const signInMigrations: readonly Migration[] = [{ name: 'SignOnOnce', written: 1795711200000, sql: SQL }];
