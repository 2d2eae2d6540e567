import { CannotStart, reasonOf } from '@annals/embedded';
import { Client } from 'pg';

const ENCODED = 'with special characters of the password percent-encoded (# is %23)';
const DATABASE_URL = `DATABASE_URL must look like postgres://user:password@host:5432/database, ${ENCODED}.`;
const REDIS_URL = `REDIS_URL must look like redis://:password@host:6379, ${ENCODED}.`;

/** A connection string that the PostgreSQL driver takes, of a named host and database. @throws CannotStart if it is not */
export function databaseUrl(value: string): string {
  if (!hasForm(value, ['postgres:', 'postgresql:'], /^\/[^/@]+$/)) throw new CannotStart(DATABASE_URL);
  try {
    new Client({ connectionString: value }); // reads the files of certificates that are named in it
    return value;
  } catch (error) {
    throw new CannotStart(`DATABASE_URL cannot be used: ${reasonOf(error)}.`);
  }
}

/** An address of a Redis, the number of its database included at most. @throws CannotStart if it is not */
export function redisUrl(value: string): string {
  if (!hasForm(value, ['redis:', 'rediss:'], /^(\/\d*)?$/)) throw new CannotStart(REDIS_URL);
  return value;
}

/**
 * Whether it is a URL of which everybody who reads it understands the same. A raw `/`, `?` or `#` in a password would
 * end the host early, and the rest of the password would be taken for something that may be shown.
 */
function hasForm(value: string, protocols: readonly string[], path: RegExp): boolean {
  if (/[\s#\\]/.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, pathname, username, password } = new URL(value);
  return (
    protocols.includes(protocol) && hostname !== '' && path.test(pathname) && isEncoded(username + password + pathname)
  );
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
