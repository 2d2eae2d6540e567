import type { RefusalName } from './refusal-names';

/** The fields of a refusal in the API beside `result`, `msg` and `code` (contract/conventions.md section 4). */
export type RejectionExtra = Readonly<Record<string, unknown>>;

/** What pages say about a refusal, in the language of their visitor. The API answers with its message. */
export interface ShownRefusal {
  readonly name: RefusalName;
  /** The values in its text. */
  readonly values: RejectionExtra;
}

/** What a refusal can be beside its code and message. */
export interface RejectionOptions {
  /** The "resource not found" class, which answers 404 instead of the code's usual status. */
  readonly notFound?: boolean;
  /** Answers 403: it is no secret that the thing exists. */
  readonly forbidden?: boolean;
  /** Left out for a refusal that no page can show. */
  readonly shown?: ShownRefusal | undefined;
}

/** A declared refusal: a rule does not allow the request, nothing was changed, and the caller gets the reason. */
export class Rejected extends Error {
  readonly notFound: boolean;
  readonly forbidden: boolean;
  readonly shown: ShownRefusal | undefined;

  constructor(
    /** Error code in the API, for example `STREAM_DOES_NOT_EXIST`. */
    readonly code: string,
    message: string,
    /** Further fields of the error body. */
    readonly extra: RejectionExtra = {},
    { notFound = false, forbidden = false, shown }: RejectionOptions = {},
  ) {
    super(message);
    this.name = 'Rejected';
    this.notFound = notFound;
    this.forbidden = forbidden;
    this.shown = shown;
  }
}

/** How a refusal is declared beside its code and text. */
export interface RejectionDeclaration extends Omit<RejectionOptions, 'shown'> {
  /** Name of the text that pages show, with the extra fields as its values. Left out for a refusal that no page can show. */
  readonly onPages?: RefusalName | undefined;
}

/** Creates the error of a declared refusal. */
export type Refusal<Extra extends RejectionExtra = Record<never, never>> = ((
  ...extra: Record<never, never> extends Extra ? [extra?: Extra] : [extra: Extra]
) => Rejected) &
  Pick<RejectionDeclaration, 'onPages'>;

/**
 * Declares a refusal once, with its code and text. The result creates the error to throw.
 *
 * @param text the message, or a function that makes it from the extra fields
 */
export function rejection<Extra extends RejectionExtra = Record<never, never>>(
  code: string,
  text: string | ((extra: Extra) => string),
  { onPages, notFound = false, forbidden = false }: RejectionDeclaration = {},
): Refusal<Extra> {
  const refuse = (extra?: Extra) => {
    const [message, fields] = typeof text === 'string' ? [text, extra] : [text(extra as Extra), undefined];
    const shown = onPages && { name: onPages, values: extra ?? {} };
    return new Rejected(code, message, fields, { notFound, forbidden, shown });
  };
  return Object.assign(refuse as Refusal<Extra>, { onPages });
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
