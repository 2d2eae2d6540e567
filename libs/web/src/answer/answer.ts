import { isDatabaseAway } from '@annals/kernel';
import type { ShownRefusal } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { HttpException } from '@nestjs/common';
import type { ErrorBody } from './envelope';
import { failure } from './envelope';
import { statusOf } from './status';

/** The answer to a request that failed. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
  /** What a page says instead of the message. */
  readonly shown?: ShownRefusal | undefined;
}

/** What pages say about a request that the server does not understand. */
export const UNREADABLE: ShownRefusal = { name: 'badForm', values: {} };

/**
 * Seconds after which a client may try again when the service is overloaded, its database unavailable or a disk full.
 */
const RETRY_AFTER = '1';
/** The network or the database is unavailable, or the disk for files is full. */
const SYSTEM_AWAY: ReadonlySet<string> = new Set([
  'EDQUOT',
  'ENOSPC',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);

/** Converts an error into an answer in the envelope. An error that is no refusal is answered without details. */
export function answerTo(error: unknown): ErrorAnswer {
  if (error instanceof Rejected) return refusal(error);
  const status = frameworkStatus(error);
  if (status !== undefined) {
    const body = failure('BAD_REQUEST', (error as Error).message || 'Bad Request');
    return { status, body, headers: {}, shown: UNREADABLE };
  }
  if (isUnavailable(error)) {
    const body = failure('SERVICE_UNAVAILABLE', 'The service is busy or restarting. Please try again.');
    return { status: 503, body, headers: { 'Retry-After': RETRY_AFTER } };
  }
  const body = failure('INTERNAL_SERVER_ERROR', 'Internal server error');
  return { status: 500, body, headers: {}, shown: { name: 'serverError', values: {} } };
}

/** Whether Nest or Fastify refused the request with a status of 4xx. */
export const isFrameworkRefusal = (error: unknown): boolean => frameworkStatus(error) !== undefined;

function frameworkStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode } = error as Error & { statusCode?: number };
  const status = error instanceof HttpException ? error.getStatus() : error.name === 'FastifyError' && statusCode;
  return status && status >= 400 && status < 500 ? status : undefined;
}

function refusal(error: Rejected): ErrorAnswer {
  const wait = error.extra['retry-after'];
  return {
    status: statusOf(error),
    body: failure(error.code, error.message, error.extra),
    headers: typeof wait === 'number' ? { 'Retry-After': String(wait) } : {},
    shown: error.shown,
  };
}

/**
 * Whether this error, or its cause, is the kernel's `Overloaded`, a database that cannot be reached, or a full disk.
 */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as Error & { code?: unknown };
  if (error.name === 'Overloaded') return true;
  if (typeof code === 'string' && SYSTEM_AWAY.has(code)) return true;
  return isDatabaseAway(error) || isUnavailable(cause);
}
