import type { Logger } from 'pino';
import type { Clock } from './domain/index';
import type { ContextDefinition } from './contexts/define-context';
import type { LaneOptions } from './log/lanes/lane-options';

/** What the event store of a process is opened with. */
export interface KernelOptions {
  readonly databaseUrl: string;
  /** Wake-ups and queues go through Redis when it is set, else through PostgreSQL. */
  readonly redisUrl?: string | undefined;
  readonly contexts: readonly ContextDefinition[];
  readonly log: Logger;
  /** Default: the clock of the database. */
  readonly clock?: Clock;
  /** How many connections write to the log; default 1. */
  readonly lanes?: number;
  readonly poolSize?: number;
  readonly statementTimeoutMs?: LaneOptions['statementTimeoutMs'];
  /**
   * How long (ms, default 250) new events of an organization are collected before followers that no client waits for read
   * them. Events after a pause are read at once. Specs set it, so that they do not wait.
   */
  readonly gatherMs?: number;
  /** For fault tests. */
  readonly step?: LaneOptions['step'];
}
