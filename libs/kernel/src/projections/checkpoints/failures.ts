import { codeOf, isConnectionLost } from '../../database/sql-states';
import { UnknownEventType } from '../../log/encoding/registry';
import { Overloaded } from '../../log/errors';

/**
 * SQLSTATE classes that do not depend on the event: connection, conflict, locks, resources, operator, configuration.
 */
const TRANSIENT_CLASSES = new Set(['08', '25', '28', '3D', '40', '42', '53', '55', '57', '58', 'XX']);

/**
 * Whether another try may succeed later. All other errors are caused by the event or the code, and the event is parked.
 * A missing table (class 42) counts as temporary, or every realm would be parked at once. An event of an unknown type
 * is left to processes of a newer version.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnknownEventType) return true;
  const code = codeOf(error);
  if (/^[0-9A-Z]{5}$/.test(code) && 'severity' in error) return TRANSIENT_CLASSES.has(code.slice(0, 2));
  return /^E(?!RR_)[A-Z_]+$/.test(code) || isConnectionLost(error);
}

/** The database is unavailable, or has too much to do. Other work would fail as well, so everything has to wait. */
export const isOutage = (error: unknown): boolean => error instanceof Overloaded || isTransient(error);

export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
