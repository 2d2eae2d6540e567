/** Body of a success (contract/conventions.md section 1). */
export interface Success {
  readonly result: 'success';
  readonly msg: '';
  readonly ignored_parameters_unsupported?: readonly string[];
  readonly [field: string]: unknown;
}

/** Body of an error. */
export interface ErrorBody {
  readonly result: 'error';
  readonly msg: string;
  readonly code: string;
  readonly [field: string]: unknown;
}

/**
 * @param fields of the endpoint beside the envelope
 * @param ignored names of parameters that the endpoint does not have
 */
export function success(fields: object | undefined, ignored: readonly string[]): Success {
  if (ignored.length === 0) return { result: 'success', msg: '', ...fields };
  return { result: 'success', msg: '', ...fields, ignored_parameters_unsupported: ignored };
}

/** @param extra further fields of the code */
export function failure(code: string, msg: string, extra: Readonly<Record<string, unknown>> = {}): ErrorBody {
  return { result: 'error', msg, code, ...extra };
}
