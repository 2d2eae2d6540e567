import { isUtf8 } from 'node:buffer';
import { Rejected } from '@annals/kernel/domain';
import type { Fields } from './params/spec';

/** More fields of one form than any endpoint has parameters. */
export const MAX_FIELDS = 1_000;

/** An object without a prototype, so that `__proto__` and `constructor` are names like any other. */
const Bare = function () {} as unknown as new () => Record<string, string>;
Bare.prototype = Object.create(null) as object;

export const emptyFields = (): Record<string, string> => new Bare();

/** Half a surrogate pair; every text refuses it, so a text that is not UTF-8 cannot pass for another one. */
const NOT_UTF8 = '\udfff';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the body of a form.
 *
 * @throws Rejected BAD_REQUEST for what is not UTF-8 or has too many fields
 */
export function readForm(body: Buffer): Fields {
  if (!isUtf8(body)) throw new Rejected('BAD_REQUEST', 'The request body is not valid UTF-8');
  const text = body.toString();
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++fields > MAX_FIELDS) throw new Rejected('BAD_REQUEST', 'Too many parameters');
  }
  return decodeForm(text);
}

/**
 * Decodes `application/x-www-form-urlencoded` text, of a body or of a query string. A repeated name keeps its last
 * text; a `%` that begins no escape stays as it is; escapes that are not UTF-8 become a character that is refused.
 */
export function decodeForm(text: string): Fields {
  const fields = emptyFields();
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    // Looked for within the field: where none has one, each would look through all that follow.
    const field = text.slice(start, end);
    const equals = field.indexOf('=');
    if (equals < 0 && field !== '') fields[decode(field)] = '';
    else if (field !== '') fields[decode(field.slice(0, equals))] = decode(field.slice(equals + 1));
    start = end + 1;
  }
  return fields;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeLeniently(spaced);
  }
}

function decodeLeniently(text: string): string {
  const escapes = /(?:%[0-9a-f]{2})+/gi;
  return text.replace(escapes, (run) => {
    try {
      return utf8.decode(Buffer.from(run.replaceAll('%', ''), 'hex'));
    } catch {
      return NOT_UTF8;
    }
  });
}
