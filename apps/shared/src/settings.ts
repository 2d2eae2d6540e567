import { resolve } from 'node:path';
import { CannotStart } from '@annals/embedded';
import type { LogLevel } from '@annals/kernel';
import isEmail from 'validator/lib/isEmail';
import { databaseUrl, redisUrl } from './connection-strings';

/** Everything that is set by environment, with its default; README has the same table in prose. */
export class Settings {
  /** Port of the HTTP server; 0 takes a free one. */
  readonly PORT: number = 9991;

  /** Address the HTTP server listens on. */
  readonly HOST: string = '127.0.0.1';

  /** PostgreSQL; left out, `npm start` brings its own. */
  readonly DATABASE_URL?: string;

  /** Redis for the queues; left out, `npm start` looks for one on the machine, else the queues live in PostgreSQL. */
  readonly REDIS_URL?: string;

  /** Folder for everything this machine keeps; absolute once read. */
  readonly ANNALS_DATA_DIR: string = 'data';

  /** The address clients use, without a slash at the end; left out, it is made from HOST and PORT. */
  readonly ANNALS_URL?: string;

  /** Name of the first organization. */
  readonly ANNALS_ORGANIZATION: string = 'Annals';

  readonly ANNALS_OWNER_EMAIL: string = 'owner@annals.localhost.invalid';

  /** Password of the first owner; left out, the owner has none and uses the key. */
  readonly ANNALS_OWNER_PASSWORD?: string;

  /** API key of the first owner; left out, a random one is made. */
  readonly ANNALS_OWNER_API_KEY?: string;

  /** `off` is for benchmarks. */
  readonly ANNALS_RATE_LIMITS: 'on' | 'off' = 'on';

  /** Organizations may open channels to visitors who are not logged in. */
  readonly ANNALS_WEB_PUBLIC_CHANNELS: 'on' | 'off' = 'off';

  readonly ANNALS_LOG_LEVEL: LogLevel = 'info';

  /** Days a client's event queue lives without a poll. */
  readonly ANNALS_QUEUE_DAYS: number = 30;

  /** Days that the words of what was deleted stay in the log. */
  readonly ANNALS_ERASURE_DAYS: number = 30;

  /** MiB that one uploaded file may have. */
  readonly ANNALS_MAX_UPLOAD_MIB: number = 100;

  /** MiB that all files of an organization may have together; left out, there is no limit. */
  readonly ANNALS_UPLOAD_QUOTA_MIB?: number;

  /** Minutes after its time within which a scheduled message is still sent. */
  readonly ANNALS_LATE_MINUTES: number = 10;

  /**
   * The service that carries notifications to phones, without a slash at the end; left out, there are none. What this server
   * is known by there goes with every request, so only a service on this machine may be asked without TLS.
   */
  readonly ANNALS_PUSH_BOUNCER_URL?: string;

  /** What this server is known by to the push service. */
  readonly ANNALS_PUSH_ORG_ID?: string;

  readonly ANNALS_PUSH_ORG_KEY?: string;

  /** Number of proxies in front whose forwarding headers are believed. */
  readonly ANNALS_TRUSTED_PROXIES: number = 0;
}

/** Reads the text of one variable. @throws CannotStart with one sentence when it is wrong */
type Reader<Value> = (text: string, name: string) => Value;

const asItIs: Reader<string> = (text) => text;

/** A whole number with both ends included. */
const whole =
  (min: number, max: number): Reader<number> =>
  (text, name) => {
    const number = /^\s*\d+\s*$/.test(text) ? Number(text) : NaN;
    if (number >= min && number <= max) return number;
    throw new CannotStart(`${name} must be a whole number from ${min} to ${max}.`);
  };

const like =
  (form: RegExp | ((text: string) => boolean), rule: string): Reader<string> =>
  (text, name) => {
    if (typeof form === 'function' ? form(text) : form.test(text)) return text;
    throw new CannotStart(`${name} must ${rule}.`);
  };

/** An address that can be asked, with a port that there is, if any. @param form what it has to look like beside that */
const addressLike = (form: RegExp, example: string): Reader<string> =>
  like((text) => form.test(text) && URL.canParse(text) && new URL(text).port !== '0', `look like ${example}`);

const oneOf =
  <Word extends string>(words: readonly Word[], rule: string): Reader<Word> =>
  (text, name) => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    throw new CannotStart(`${name} must be ${rule}.`);
  };

const onOrOff = oneOf(['on', 'off'], '"on" or "off"');
const LOG_LEVELS: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];

const READERS: { readonly [Name in keyof Settings]-?: Reader<NonNullable<Settings[Name]>> } = {
  PORT: whole(0, 65_535),
  HOST: asItIs,
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  ANNALS_DATA_DIR: asItIs,
  ANNALS_URL: addressLike(
    /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i,
    'https://chat.example.com, with a port from 1 to 65535 if any',
  ),
  ANNALS_ORGANIZATION: like(
    /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]{1,40}$/u,
    'have at most 40 characters, in one line',
  ),
  ANNALS_OWNER_EMAIL: like(isEmail, 'be an email address'),
  ANNALS_OWNER_PASSWORD: like(/^.{8,100}$/su, 'have 8 to 100 characters'),
  ANNALS_OWNER_API_KEY: like(/^[A-Za-z0-9]{32}$/, 'be exactly 32 letters and digits'),
  ANNALS_RATE_LIMITS: onOrOff,
  ANNALS_WEB_PUBLIC_CHANNELS: onOrOff,
  ANNALS_LOG_LEVEL: oneOf(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`),
  ANNALS_QUEUE_DAYS: whole(7, 365),
  ANNALS_ERASURE_DAYS: whole(0, 3_650),
  ANNALS_MAX_UPLOAD_MIB: whole(1, 10_240),
  ANNALS_UPLOAD_QUOTA_MIB: whole(1, 1_000_000_000),
  ANNALS_LATE_MINUTES: whole(1, 1_440),
  ANNALS_PUSH_BOUNCER_URL: addressLike(
    /^(https:\/\/([\w.-]+|\[[\da-f:.]+\])|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\]))(:\d{1,5})?(\/[\w./-]*\w)?$/i,
    'https://push.example.com, with a port from 1 to 65535 if any; http is for this machine only',
  ),
  ANNALS_PUSH_ORG_ID: like(/^[^:\p{Cc}]{1,200}$/u, 'have at most 200 characters and no colon'),
  ANNALS_PUSH_ORG_KEY: like(/^[^\p{Cc}]{1,200}$/u, 'have at most 200 characters'),
  ANNALS_TRUSTED_PROXIES: whole(0, 10),
};

/** Every setting there is. */
export const SETTING_NAMES = Object.keys(READERS) as readonly (keyof Settings)[];

/** What a push service needs, all of it or nothing. */
const PUSH = ['ANNALS_PUSH_BOUNCER_URL', 'ANNALS_PUSH_ORG_ID', 'ANNALS_PUSH_ORG_KEY'] as const;

/**
 * The settings in an environment. A variable that holds nothing but blanks counts as not set.
 *
 * @param base folder that a relative data folder is in
 * @throws CannotStart with one sentence about the first one that is wrong
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  base: string = process.cwd(),
): Settings {
  const given = SETTING_NAMES.flatMap((name) => {
    const text = env[name] ?? '';
    return text.trim() === '' ? [] : [[name, READERS[name](text, name)]];
  });
  const settings = Object.assign(new Settings(), Object.fromEntries(given) as Partial<Settings>);
  const missing = PUSH.find((name) => settings[name] === undefined);
  if (missing !== undefined && PUSH.some((name) => settings[name] !== undefined)) {
    throw new CannotStart(`${missing} must be set too: ${PUSH.join(', ')} go together.`);
  }
  return Object.assign(settings, { ANNALS_DATA_DIR: resolve(base, settings.ANNALS_DATA_DIR) });
}
