/**
 * A condition outside of this program prevents a service from starting, such as a used port, a missing permission or
 * program, or a wrong setting. The message is one sentence for the user of the terminal. It needs no stack trace.
 */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** The text of any thrown value, for use inside a sentence. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(reasonOf).join('; '); // AggregateError
  return 'message' in error ? String(error.message) : JSON.stringify(error);
}
