import 'reflect-metadata';
import { resolve } from 'node:path';
import { CannotStart } from '@annals/embedded';
import type { LogLevel } from '@annals/kernel';
import { plainToInstance, Transform } from 'class-transformer';
import { AreNetworks, AreSinkCredentials, IsDatabaseUrl, IsRedisUrl } from './connection-strings';
import { areWitnesses, isSigningKey } from './proof-values';
import { SECRET_FILE_NAMES, withSecretFiles } from './secret-files';
import { refuseUnknown } from './unknown-settings';
import {
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  validateSync,
} from 'class-validator';

const LOG_LEVELS: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];

const number = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value,
);

/** A whole number with both ends included, with one message for all errors. */
function Whole(name: string, min: number, max: number): PropertyDecorator {
  const message = `${name} must be a whole number from ${min} to ${max}.`;
  return (target, property) => {
    for (const decorate of [number, IsInt({ message }), Min(min, { message }), Max(max, { message })]) {
      decorate(target, property);
    }
  };
}

/** A URL with a valid port, if any. @param form further requirements */
function Address(form: RegExp, message: string): PropertyDecorator {
  const isAddress = (value: unknown) =>
    typeof value === 'string' && form.test(value) && URL.canParse(value) && new URL(value).port !== '0';
  return ValidateBy({ name: 'isAddress', validator: { validate: isAddress, defaultMessage: () => message } });
}

/** Everything that is set by environment, with its default; README has the same table in prose. */
export class Settings {
  /** Port of the HTTP server. 0 takes a free one. */
  @Whole('PORT', 0, 65_535)
  readonly PORT: number = 9991;

  /** Address the HTTP server listens on. */
  @IsString()
  readonly HOST: string = '127.0.0.1';

  /** PostgreSQL. Left out: `npm start` runs its own. */
  @IsOptional()
  @IsDatabaseUrl()
  readonly DATABASE_URL?: string;

  /** Redis for the queues; left out, `npm start` looks for one on the machine, else the queues live in PostgreSQL. */
  @IsOptional()
  @IsRedisUrl()
  readonly REDIS_URL?: string;

  /** Folder for everything this machine keeps; absolute once read. */
  @IsString()
  readonly ANNALS_DATA_DIR: string = 'data';

  /** The address for clients, without a slash at the end. Left out: from HOST and PORT. */
  @IsOptional()
  @Address(
    /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i,
    'ANNALS_URL must look like https://chat.example.com, with a port from 1 to 65535 if any.',
  )
  readonly ANNALS_URL?: string;

  /** Name of the first organization. */
  @Matches(/^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]{1,40}$/u, {
    message: 'ANNALS_ORGANIZATION must have at most 40 characters, in one line.',
  })
  readonly ANNALS_ORGANIZATION: string = 'Annals';

  @IsEmail({}, { message: 'ANNALS_OWNER_EMAIL must be an email address.' })
  readonly ANNALS_OWNER_EMAIL: string = 'owner@annals.localhost.invalid';

  /** Password of the first owner. Left out: the owner has none and uses the key. */
  @IsOptional()
  @MaxLength(100, { message: 'ANNALS_OWNER_PASSWORD must have 8 to 100 characters.' })
  @MinLength(8, { message: 'ANNALS_OWNER_PASSWORD must have 8 to 100 characters.' })
  readonly ANNALS_OWNER_PASSWORD?: string;

  /** API key of the first owner; left out, a random one is made. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9]{32}$/, { message: 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits.' })
  readonly ANNALS_OWNER_API_KEY?: string;

  /** `off` is for benchmarks. */
  @IsIn(['on', 'off'], { message: 'ANNALS_RATE_LIMITS must be "on" or "off".' })
  readonly ANNALS_RATE_LIMITS: 'on' | 'off' = 'on';

  /** Organizations may open channels to visitors who are not logged in. */
  @IsIn(['on', 'off'], { message: 'ANNALS_WEB_PUBLIC_CHANNELS must be "on" or "off".' })
  readonly ANNALS_WEB_PUBLIC_CHANNELS: 'on' | 'off' = 'off';

  /** A system bot writes to newcomers. */
  @IsIn(['on', 'off'], { message: 'ANNALS_WELCOME_BOT must be "on" or "off".' })
  readonly ANNALS_WELCOME_BOT: 'on' | 'off' = 'on';

  @IsIn(LOG_LEVELS, { message: `ANNALS_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.` })
  readonly ANNALS_LOG_LEVEL: LogLevel = 'info';

  /** Days that a client's event queue lives without a poll. */
  @Whole('ANNALS_QUEUE_DAYS', 7, 365)
  readonly ANNALS_QUEUE_DAYS: number = 30;

  /** Days that the texts of what was deleted remain in the log. */
  @Whole('ANNALS_ERASURE_DAYS', 0, 3_650)
  readonly ANNALS_ERASURE_DAYS: number = 30;

  /** MiB that one uploaded file may have. */
  @Whole('ANNALS_MAX_UPLOAD_MIB', 1, 10_240)
  readonly ANNALS_MAX_UPLOAD_MIB: number = 100;

  /** MiB that all files of an organization may have together; left out, there is no limit. */
  @IsOptional()
  @Whole('ANNALS_UPLOAD_QUOTA_MIB', 1, 1_000_000_000)
  readonly ANNALS_UPLOAD_QUOTA_MIB?: number;

  /** Minutes after its time within which a scheduled message is still sent. */
  @Whole('ANNALS_LATE_MINUTES', 1, 1_440)
  readonly ANNALS_LATE_MINUTES: number = 10;

  /**
   * The service that sends notifications to phones, without a slash at the end. Left out: there are none. Each request
   * has this server's credentials, so only a service on this machine may be without TLS.
   */
  @IsOptional()
  @Address(
    /^(https:\/\/([\w.-]+|\[[\da-f:.]+\])|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\]))(:\d{1,5})?(\/[\w./-]*\w)?$/i,
    'ANNALS_PUSH_BOUNCER_URL must look like https://push.example.com, with a port from 1 to 65535 if any; http is for this machine only.',
  )
  readonly ANNALS_PUSH_BOUNCER_URL?: string;

  /** The credentials of this server at the push service. */
  @IsOptional()
  @Matches(/^[^:\p{Cc}]{1,200}$/u, { message: 'ANNALS_PUSH_ORG_ID must have at most 200 characters and no colon.' })
  readonly ANNALS_PUSH_ORG_ID?: string;

  @IsOptional()
  @Matches(/^[^\p{Cc}]{1,200}$/u, { message: 'ANNALS_PUSH_ORG_KEY must have at most 200 characters.' })
  readonly ANNALS_PUSH_ORG_KEY?: string;

  /** The Ed25519 key that signs checkpoints of the logs, as PEM text. Left out: this server makes one in its data folder. */
  @IsOptional()
  @ValidateBy({
    name: 'isSigningKey',
    validator: { validate: isSigningKey, defaultMessage: () => 'ANNALS_AUDIT_KEY must be an Ed25519 key in PEM form.' },
  })
  readonly ANNALS_AUDIT_KEY?: string;

  /** Witnesses that cosign checkpoints: URL, space and verifier key of each, with commas between them. */
  @IsOptional()
  @ValidateBy({
    name: 'areWitnesses',
    validator: {
      validate: areWitnesses,
      defaultMessage: () =>
        'ANNALS_AUDIT_WITNESSES must have a URL, a space and a verifier key for each of at most 8 witnesses, separated by commas.',
    },
  })
  readonly ANNALS_AUDIT_WITNESSES?: string;

  /** Addresses and networks outside the public internet that webhooks, sinks and previews may connect to, with commas between them. */
  @AreNetworks()
  readonly ANNALS_WEBHOOK_ALLOW: string = '';

  /** How this server logs in at the engines that consumers deliver to: JSON with credentials under their names. */
  @IsOptional()
  @AreSinkCredentials()
  readonly ANNALS_SINK_CREDENTIALS?: string;

  /** Number of proxies in front whose forwarding headers are trusted. */
  @Whole('ANNALS_TRUSTED_PROXIES', 0, 10)
  readonly ANNALS_TRUSTED_PROXIES: number = 0;

  /** Port of a worker's health and metrics. 0 takes a free one. Left out: none. */
  @IsOptional()
  @Whole('ANNALS_WORKER_PORT', 0, 65_535)
  readonly ANNALS_WORKER_PORT?: number;

  /** Seconds that an api still accepts requests after SIGTERM, so that their senders find another one. */
  @Whole('ANNALS_DRAIN_SECONDS', 0, 300)
  readonly ANNALS_DRAIN_SECONDS: number = 5;

  /** Metrics have figures of each organization too. */
  @IsIn(['on', 'off'], { message: 'ANNALS_REALM_METRICS must be "on" or "off".' })
  readonly ANNALS_REALM_METRICS: 'on' | 'off' = 'off';

  /** Connections to PostgreSQL that one process shares, apart from those that append and listen. */
  @Whole('ANNALS_POOL_SIZE', 4, 1_000)
  readonly ANNALS_POOL_SIZE: number = 16;

  /** Connections of one process that append; each organization has one of them. Left out, it depends on the processors. */
  @IsOptional()
  @Whole('ANNALS_LANES', 1, 16)
  readonly ANNALS_LANES?: number;
}

/** The settings of a push service. Either all of them are set or none. */
const PUSH = ['ANNALS_PUSH_BOUNCER_URL', 'ANNALS_PUSH_ORG_ID', 'ANNALS_PUSH_ORG_KEY'] as const;

/** Every setting there is. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(new Settings()),
  'DATABASE_URL',
  'REDIS_URL',
  'ANNALS_URL',
  'ANNALS_OWNER_PASSWORD',
  'ANNALS_OWNER_API_KEY',
  'ANNALS_UPLOAD_QUOTA_MIB',
  'ANNALS_LANES',
  'ANNALS_WORKER_PORT',
  'ANNALS_AUDIT_KEY',
  'ANNALS_AUDIT_WITNESSES',
  'ANNALS_SINK_CREDENTIALS',
  ...PUSH,
];

/** Every variable that is read: the settings, and those that name a file with a secret one. */
export const VARIABLE_NAMES: readonly string[] = [...SETTING_NAMES, ...SECRET_FILE_NAMES];

/**
 * The settings in an environment. A variable with only blanks counts as not set.
 *
 * @param base folder that a relative data folder is in
 * @throws CannotStart with one sentence about the first wrong or unknown one
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  base: string = process.cwd(),
): Settings {
  refuseUnknown(environment, VARIABLE_NAMES);
  const env = withSecretFiles(environment);
  const given = SETTING_NAMES.filter((name) => env[name]?.trim());
  const values = Object.fromEntries(given.map((name) => [name, env[name]]));
  const settings = plainToInstance(Settings, values, { exposeDefaultValues: true });
  const [mistake] = validateSync(settings, { stopAtFirstError: true });
  if (mistake) throw new CannotStart(Object.values(mistake.constraints ?? {})[0] ?? `${mistake.property} is wrong.`);
  const missing = PUSH.find((name) => settings[name] === undefined);
  if (missing !== undefined && PUSH.some((name) => settings[name] !== undefined)) {
    throw new CannotStart(`${missing} must be set too. ${PUSH.join(', ')} are needed together.`);
  }
  return Object.assign(settings, { ANNALS_DATA_DIR: resolve(base, settings.ANNALS_DATA_DIR) });
}
