import 'reflect-metadata';
import { Type, plainToInstance } from 'class-transformer';
import { IsEmail, IsIn, IsInt, IsOptional, IsString, Matches, Max, Min, validateSync } from 'class-validator';
import { resolve } from 'node:path';
import { CannotStart } from '@annals/embedded';

const NAMES = /^(PORT|HOST|DATABASE_URL|REDIS_URL|ANNALS_.+)$/;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** Everything `npm start` can be told, under the names of the environment variables. */
export class Settings {
  @Type(() => Number)
  @Min(1, { message: 'PORT must be a whole number from 1 to 65535.' })
  @Max(65_535, { message: 'PORT must be a whole number from 1 to 65535.' })
  @IsInt({ message: 'PORT must be a whole number from 1 to 65535.' })
  readonly PORT: number = 9991;

  @IsString()
  readonly HOST: string = '127.0.0.1';

  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/[^/]+\/./, {
    message: 'DATABASE_URL must look like postgres://user:password@host:5432/database.',
  })
  readonly DATABASE_URL?: string;

  @IsOptional()
  @Matches(/^rediss?:\/\/./, { message: 'REDIS_URL must look like redis://host:6379.' })
  readonly REDIS_URL?: string;

  /** Relative to the project's folder; absolute once read. */
  @IsString()
  readonly ANNALS_DATA_DIR: string = 'data';

  @IsOptional()
  @IsString()
  readonly ANNALS_ORGANIZATION?: string;

  @IsOptional()
  @IsEmail({}, { message: 'ANNALS_OWNER_EMAIL must be an email address.' })
  readonly ANNALS_OWNER_EMAIL?: string;

  @IsOptional()
  @IsString()
  readonly ANNALS_OWNER_PASSWORD?: string;

  @IsOptional()
  @Matches(/^[A-Za-z0-9]{32}$/, { message: 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits.' })
  readonly ANNALS_OWNER_API_KEY?: string;

  @IsIn(['on', 'off'], { message: 'ANNALS_RATE_LIMITS must be "on" or "off".' })
  readonly ANNALS_RATE_LIMITS: string = 'on';

  @IsIn(LOG_LEVELS, { message: `ANNALS_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.` })
  readonly ANNALS_LOG_LEVEL: string = 'info';
}

/**
 * The settings in an environment. A variable that is set to nothing counts as not set.
 * @throws CannotStart with one sentence about the first one that is wrong.
 */
export function readSettings(env: NodeJS.ProcessEnv, projectRoot: string): Settings {
  const given = Object.entries(env).filter(([name, value]) => NAMES.test(name) && value?.trim());
  const settings = plainToInstance(Settings, Object.fromEntries(given), { exposeDefaultValues: true });
  const [mistake] = validateSync(settings);
  if (mistake) throw new CannotStart(Object.values(mistake.constraints ?? {})[0] ?? `${mistake.property} is wrong.`);
  return Object.assign(settings, { ANNALS_DATA_DIR: resolve(projectRoot, settings.ANNALS_DATA_DIR) });
}
