import type { Logger } from 'pino';
import type { Clock } from './domain/index';
import type { ContextDefinition } from './contexts/define-context';
import type { LaneOptions } from './log/lanes/lane-options';

/** The options for opening the event store of a process. */
export interface KernelOptions {
  readonly databaseUrl: string;
  /** Wake-ups and queues use Redis if it is set, else PostgreSQL. */
  readonly redisUrl?: string | undefined;
  readonly contexts: readonly ContextDefinition[];
  readonly log: Logger;
  /** Default: the clock of the database. */
  readonly clock?: Clock;
  /** Number of connections that write to the log. Default: 1. */
  readonly lanes?: number;
  readonly poolSize?: number;
  readonly statementTimeoutMs?: LaneOptions['statementTimeoutMs'];
  /**
   * How long (ms, default 250) new events of an organization are collected before followers that no client waits for read
   * them. Events after a pause are read at once. Specs set it, so that they do not wait.
   */
  readonly gatherMs?: number;
  /** Opens the kernel of a past (`withPast`): everything is read and written in this schema, and no command runs. */
  readonly past?: { readonly schema: string };
  /** For fault tests. */
  readonly step?: LaneOptions['step'];
}
