import { reasonOf } from '@annals/embedded';
import { AddressGuard } from '@annals/kernel/address-guard';
import { Client } from 'pg';
import { ValidateBy } from 'class-validator';
import { readSinkCredentials } from './sink-credentials';

const ENCODED = 'with special characters of the password percent-encoded (# is %23)';
const DATABASE_URL = `DATABASE_URL must look like postgres://user:password@host:5432/database, ${ENCODED}.`;
const REDIS_URL = `REDIS_URL must look like redis://:password@host:6379, ${ENCODED}.`;

/** A connection string that the PostgreSQL driver takes, of a named host and database. */
export const IsDatabaseUrl = () =>
  sentence((value) => {
    if (!hasForm(value, ['postgres:', 'postgresql:'], /^\/[^/@]+$/)) return DATABASE_URL;
    try {
      new Client({ connectionString: value }); // reads the files of certificates that are named in it
      return undefined;
    } catch (error) {
      return `DATABASE_URL cannot be used: ${reasonOf(error)}.`;
    }
  });

/** An address of a Redis, the number of its database included at most. */
export const IsRedisUrl = () =>
  sentence((value) => (hasForm(value, ['redis:', 'rediss:'], /^(\/\d*)?$/) ? undefined : REDIS_URL));

/**
 * Whether all parsers read the URL in the same way. A raw `/`, `?` or `#` in a password would end the host early, and
 * the rest of the password would count as a part that may be shown.
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

/** IP addresses and networks in CIDR notation, with commas between them. */
export const AreNetworks = (): PropertyDecorator =>
  sentence((value) => {
    try {
      new AddressGuard(value);
      return undefined;
    } catch {
      return 'ANNALS_WEBHOOK_ALLOW must have addresses or networks such as 10.1.2.3 and 10.2.0.0/16, with commas between them.';
    }
  });

/** Credentials for engines. The message has nothing of them. */
export const AreSinkCredentials = (): PropertyDecorator =>
  sentence((value) => {
    try {
      readSinkCredentials(value);
      return undefined;
    } catch (error) {
      return `ANNALS_SINK_CREDENTIALS must be JSON with credentials under their names (${reasonOf(error)}).`;
    }
  });

/** Validates with a function that returns the error in one sentence. */
function sentence(mistakeIn: (value: string) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name: 'sentence',
    validator: {
      validate: (value) => typeof value === 'string' && mistakeIn(value) === undefined,
      defaultMessage: (given) => mistakeIn(String(given?.value)) ?? '',
    },
  });
}
