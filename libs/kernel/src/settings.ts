import { plainToInstance, Transform } from 'class-transformer';
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
  validateSync,
} from 'class-validator';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const whole = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value));

// Of several decorators the lowest is checked first, and only the first problem is told.

/** Everything that is set by environment, with its default; README has the same table in prose. */
export class Settings {
  /** Port of the HTTP server; 0 takes a free one. */
  @whole
  @Max(65_535, { message: 'PORT must be at most 65535' })
  @Min(0, { message: 'PORT must not be negative' })
  @IsInt({ message: 'PORT must be a whole number' })
  PORT: number = 9991;

  /** Address the HTTP server listens on. */
  @IsString()
  HOST: string = '127.0.0.1';

  /** PostgreSQL; left out, `npm start` brings its own. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must begin with postgres:// or postgresql://' })
  DATABASE_URL?: string;

  /** Redis for the queues; left out, `npm start` looks for one on the machine, else the queues live in PostgreSQL. */
  @IsOptional()
  @Matches(/^rediss?:\/\//, { message: 'REDIS_URL must begin with redis:// or rediss://' })
  REDIS_URL?: string;

  /** Folder for everything this machine keeps. */
  @IsString()
  ANNALS_DATA_DIR: string = 'data';

  /** Name of the first organization. */
  @IsString()
  @MinLength(1, { message: 'ANNALS_ORGANIZATION must not be empty' })
  @MaxLength(40, { message: 'ANNALS_ORGANIZATION must have at most 40 characters' })
  ANNALS_ORGANIZATION: string = 'Annals';

  /** The address clients use, without a slash at the end; left out, it is made from HOST and PORT. */
  @IsOptional()
  @Matches(/^https?:\/\/[^/]+$/, { message: 'ANNALS_URL must be an address such as https://chat.example.com' })
  ANNALS_URL?: string;

  @IsEmail({}, { message: 'ANNALS_OWNER_EMAIL must be an email address' })
  ANNALS_OWNER_EMAIL: string = 'owner@annals.localhost.invalid';

  /** Password of the first owner; left out, a random one is made. */
  @IsOptional()
  @MinLength(8, { message: 'ANNALS_OWNER_PASSWORD must have at least 8 characters' })
  @MaxLength(100, { message: 'ANNALS_OWNER_PASSWORD must have at most 100 characters' })
  ANNALS_OWNER_PASSWORD?: string;

  /** API key of the first owner; left out, a random one is made. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9]{32}$/, { message: 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits' })
  ANNALS_OWNER_API_KEY?: string;

  /** `off` is for benchmarks. */
  @IsIn(['on', 'off'], { message: 'ANNALS_RATE_LIMITS must be on or off' })
  ANNALS_RATE_LIMITS: 'on' | 'off' = 'on';

  @IsIn(LOG_LEVELS, { message: `ANNALS_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}` })
  ANNALS_LOG_LEVEL: LogLevel = 'info';

  /** Days a client's event queue lives without a poll. */
  @whole
  @Max(365, { message: 'ANNALS_QUEUE_DAYS must be at most 365' })
  @Min(7, { message: 'ANNALS_QUEUE_DAYS must be at least 7' })
  @IsInt({ message: 'ANNALS_QUEUE_DAYS must be a whole number' })
  ANNALS_QUEUE_DAYS: number = 30;

  /** Number of proxies in front that set X-Forwarded-For and X-Forwarded-Host; 0 trusts none. */
  @whole
  @Max(10, { message: 'ANNALS_TRUSTED_PROXIES must be at most 10' })
  @Min(0, { message: 'ANNALS_TRUSTED_PROXIES must not be negative' })
  @IsInt({ message: 'ANNALS_TRUSTED_PROXIES must be a whole number' })
  ANNALS_TRUSTED_PROXIES: number = 0;
}

/** A setting is wrong; the message is one sentence for the operator. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Every setting there is. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(new Settings()),
  'DATABASE_URL',
  'REDIS_URL',
  'ANNALS_URL',
  'ANNALS_OWNER_PASSWORD',
  'ANNALS_OWNER_API_KEY',
];

/** @throws SettingsError naming the first setting that is wrong; an empty variable counts as not set */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = SETTING_NAMES.filter((name) => env[name] !== undefined && env[name] !== '');
  const values = Object.fromEntries(given.map((name) => [name, env[name]]));
  const settings = plainToInstance(Settings, values, { exposeDefaultValues: true });
  const [first] = validateSync(settings, { stopAtFirstError: true });
  if (first) throw new SettingsError(Object.values(first.constraints ?? {})[0] ?? `${first.property} is wrong`);
  return settings;
}
