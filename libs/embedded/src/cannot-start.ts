/**
 * Something outside our hands keeps a service from starting: a port, a permission, a missing program, a setting.
 * The message is one sentence for the person at the terminal and needs no stack trace.
 */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** The text of anything that was thrown, for use inside a sentence. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(reasonOf).join('; '); // AggregateError
  return 'message' in error ? String(error.message) : JSON.stringify(error);
}
