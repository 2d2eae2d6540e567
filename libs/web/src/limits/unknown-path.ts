/** Longest path that is logged, in UTF-16 units. */
const MAX_PATH = 200;
/** Shown in place of a segment that may be a secret or about a person. */
const HIDDEN = '…';

const VERSION = /^v\d{1,2}$/;
/**
 * English words, as in the names of endpoints. Tokens, keys, ids, email addresses and names of files are none: they have
 * digits, other characters or many letters in a row.
 */
const WORDS = /^[A-Za-z][a-z]{0,14}(?:[_-][A-Za-z]?[a-z]{1,14}){0,5}$/;
/** What browsers and scanners ask for at the root: `/favicon.ico`, `/.well-known/…`, `/.env`. */
const AT_ROOT = /^\.?[a-z]{1,15}(?:[_-][a-z]{1,15}){0,3}(?:\.[a-z]{2,5})?$/;

/**
 * A path that matches no route, as it may be logged: an operator sees what a client asks for, and no secret of a link
 * whose path is a little wrong.
 *
 * @param url path and query as they were sent
 */
export function unknownPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  const shown = path.split('/').map((segment, n) => (isTelling(segment, n === 1) ? segment : HIDDEN));
  return shown.join('/').slice(0, MAX_PATH);
}

const isTelling = (segment: string, isFirst: boolean): boolean =>
  segment === '' || VERSION.test(segment) || WORDS.test(segment) || (isFirst && AT_ROOT.test(segment));
