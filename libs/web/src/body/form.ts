import { isUtf8 } from 'node:buffer';
import { decodeEscapes } from './escapes';
import { reject } from './rejections';
import type { Fields } from '../params/spec';

/** More fields of one form than any endpoint has parameters. */
export const MAX_FORM_FIELDS = 1_000;

/** An object without a prototype, so that `__proto__` and `constructor` are names like any other. */
const Bare = function () {} as unknown as new () => Record<string, string>;
Bare.prototype = Object.create(null) as object;

export const emptyFields = (): Record<string, string> => new Bare();

/**
 * Reads the body of a form.
 *
 * @throws Rejected BAD_REQUEST for what is not UTF-8 or has too many fields
 */
export function readForm(body: Buffer): Fields {
  if (!isUtf8(body)) throw reject.notUtf8();
  const text = withSpaces(body).toString();
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++fields > MAX_FORM_FIELDS) throw reject.tooManyFields();
  }
  return decodeForm(text);
}

const [PLUS, SPACE] = [0x2b, 0x20];

/** For a form of pluses alone, the replacement of strings would take a hundred milliseconds. */
function withSpaces(body: Buffer): Buffer {
  for (let at = body.indexOf(PLUS); at >= 0 && at < body.length; at++) if (body[at] === PLUS) body[at] = SPACE;
  return body;
}

/**
 * Decodes `application/x-www-form-urlencoded` text, of a body or of a query string. The last value of a repeated name
 * counts. A `%` that begins no escape is not changed. Escapes that are not UTF-8 become a character that is refused.
 */
export function decodeForm(text: string): Fields {
  const fields = emptyFields();
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    // Searched within the field: without one, each search would read all fields after it.
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
    return decodeEscapes(spaced);
  }
}
