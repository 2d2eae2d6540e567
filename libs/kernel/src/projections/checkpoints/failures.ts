import { codeOf, isConnectionLost } from '../../database/sql-states';
import { UnknownEventType } from '../../log/encoding/registry';

/** SQLSTATE classes that say nothing about the event: connection, conflict, locks, resources, operator, set-up. */
const TRANSIENT_CLASSES = new Set(['08', '25', '28', '3D', '40', '42', '53', '55', '57', '58', 'XX']);

/**
 * Whether trying the same again later may help. Anything else is the event's or the code's fault and is parked; a
 * missing table (class 42) is neither: it would park every realm at once. An event of a type that is not known is for
 * processes of a newer version, which take it.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnknownEventType) return true;
  const code = codeOf(error);
  if (/^[0-9A-Z]{5}$/.test(code) && 'severity' in error) return TRANSIENT_CLASSES.has(code.slice(0, 2));
  return /^E(?!RR_)[A-Z_]+$/.test(code) || isConnectionLost(error);
}

export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
