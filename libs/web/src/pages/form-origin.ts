import { rejection } from '@annals/kernel/domain';
import Tokens from '@fastify/csrf';
import type { WebRequest } from '../request';
import type { PageCookies } from './page-cookies';

/** The field of a form with its token. */
export const TOKEN_FIELD = 'csrf_token';
/** The cookie with the secret that the tokens of a browser's forms are made from. */
const SECRET_COOKIE = 'annals_form';

/** A form of another site, or one of a page that is too old. */
export const staleForm = rejection('CSRF_FAILED', 'The form is too old or comes from another site.', {
  forbidden: true,
});

const tokens = new Tokens({ secretLength: 32, saltLength: 16 });

/** A token for a form of this browser. Each is different, so that nothing can be learned from a compressed page. */
export function formToken(cookies: PageCookies): string {
  let secret = cookies.get(SECRET_COOKIE);
  if (secret === undefined) {
    secret = tokens.secretSync();
    cookies.set(SECRET_COOKIE, secret);
  }
  return tokens.create(secret);
}

/** The forms that this browser has loaded so far are not accepted any more. For a login and its end. */
export function renewFormSecret(cookies: PageCookies): void {
  cookies.set(SECRET_COOKIE, tokens.secretSync());
}

/**
 * Refuses a POST that no form of this server sent. The browser says where a form was, and the form has a token that only a page for the
 * same browser could contain.
 *
 * @throws Rejected CSRF_FAILED
 */
export function ensureOwnForm(request: WebRequest, cookies: PageCookies): void {
  const secret = cookies.get(SECRET_COOKIE);
  const token = request.body?.[TOKEN_FIELD];
  if (!isFromHere(request) || secret === undefined || token === undefined) throw staleForm();
  if (!tokens.verify(secret, token)) throw staleForm();
}

/** By `Sec-Fetch-Site`, which browsers send with https, else by `Origin`, which they send with every POST. */
function isFromHere({ headers, host }: WebRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  // A proxy may speak another protocol to this server than the browser to the proxy, so the host is compared.
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
