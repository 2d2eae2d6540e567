import type { Fields } from './params/spec';

/** An object without a prototype, so that `__proto__` and `constructor` are names like any other. */
const Bare = function () {} as unknown as new () => Record<string, string>;
Bare.prototype = Object.create(null) as object;

export const emptyFields = (): Record<string, string> => new Bare();

/** Half a surrogate pair; every text refuses it, so a text that is not UTF-8 cannot pass for another one. */
const NOT_UTF8 = '\udfff';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

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
    let equals = text.indexOf('=', start);
    if (equals < 0 || equals > end) equals = end;
    if (end > start) fields[decode(text.slice(start, equals))] = decode(text.slice(equals + 1, end));
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
