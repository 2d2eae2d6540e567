/** The fields of a refusal in the API beside `result`, `msg` and `code` (contract/conventions.md section 4). */
export type RejectionExtra = Readonly<Record<string, unknown>>;

/** A declared refusal: a rule does not allow the request, nothing was changed, and the caller gets the reason. */
export class Rejected extends Error {
  constructor(
    /** Error code in the API, for example `STREAM_DOES_NOT_EXIST`. */
    readonly code: string,
    message: string,
    /** Further fields of the error body. */
    readonly extra: RejectionExtra = {},
    /** The "resource not found" class, which answers 404 instead of the code's usual status. */
    readonly notFound = false,
    /** Answers 403: it is no secret that the thing exists. */
    readonly forbidden = false,
  ) {
    super(message);
    this.name = 'Rejected';
  }
}

/**
 * Declares a refusal once, with its code and text. The result creates the error to throw.
 *
 * @param text the message, or a function that makes it from the extra fields
 */
export function rejection<Extra extends RejectionExtra = Record<never, never>>(
  code: string,
  text: string | ((extra: Extra) => string),
  options: { notFound?: boolean; forbidden?: boolean } = {},
): (...extra: Record<never, never> extends Extra ? [extra?: Extra] : [extra: Extra]) => Rejected {
  return (...[extra]) =>
    new Rejected(
      code,
      typeof text === 'string' ? text : text(extra as Extra),
      typeof text === 'string' ? extra : undefined,
      options.notFound ?? false,
      options.forbidden ?? false,
    );
}

/** The answer to "may this actor do this?". A refusal carries its reason. */
export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly because: Rejected };

export const allowed: Verdict = { allowed: true };
export const refused = (because: Rejected): Verdict => ({ allowed: false, because });
/** Allowed when the condition holds, otherwise refused for this reason. */
export const allowedIf = (condition: boolean, because: () => Rejected): Verdict =>
  condition ? allowed : refused(because());

/** @throws Rejected when the verdict is a refusal */
export function ensure(verdict: Verdict): void {
  if (!verdict.allowed) throw verdict.because;
}
