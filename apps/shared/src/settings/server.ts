import type { LogLevel } from '@annals/kernel';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { IsDatabaseUrl, IsRedisUrl } from '../connection-strings';
import { Address, Switch, Whole } from './declaring';

const LOG_LEVELS: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** How the processes of a server run, and where its services are. */
export class ServerSettings {
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

  /** `off` is for benchmarks. */
  @Switch('ANNALS_RATE_LIMITS')
  readonly ANNALS_RATE_LIMITS: 'on' | 'off' = 'on';

  @IsIn(LOG_LEVELS, { message: `ANNALS_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.` })
  readonly ANNALS_LOG_LEVEL: LogLevel = 'info';

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
  @Switch('ANNALS_REALM_METRICS')
  readonly ANNALS_REALM_METRICS: 'on' | 'off' = 'off';

  /** Connections to PostgreSQL that one process shares, apart from those that append and listen. */
  @Whole('ANNALS_POOL_SIZE', 4, 1_000)
  readonly ANNALS_POOL_SIZE: number = 16;

  /** Connections of one process that append; each organization has one of them. Left out, it depends on the processors. */
  @IsOptional()
  @Whole('ANNALS_LANES', 1, 16)
  readonly ANNALS_LANES?: number;

  /** Requests of one organization that one api works on at a time. Further ones wait, those of other organizations do not. */
  @Whole('ANNALS_REQUESTS_AT_ONCE', 1, 10_000)
  readonly ANNALS_REQUESTS_AT_ONCE: number = 12;
}
