import { SESSION_AGE_MS } from '@annals/users';
import type { Bytes, PageVisit } from '@annals/web';
import { SESSION_COOKIE } from '@annals/web';

/** Where people are after a login that names no other place. */
export const AFTER_LOGIN = '/account';
/** The cookie of a login between the password and the code. */
export const PENDING_COOKIE = 'annals_login';
const PENDING_SECONDS = 600;

/** The answer to a login: the browser has the cookie of its session, and goes on. @param next a path from `localPath` */
export function begun(visit: PageVisit, cookie: string, next: string | undefined): Bytes {
  visit.cookies.set(SESSION_COOKIE, cookie, { maxAge: SESSION_AGE_MS / 1000 });
  visit.renewForms();
  return visit.redirect(next ?? AFTER_LOGIN);
}

/** The answer to a password that is right, where a code is needed too. */
export function needsCode(visit: PageVisit, cookie: string, next: string | undefined): Bytes {
  visit.cookies.set(PENDING_COOKIE, cookie, { maxAge: PENDING_SECONDS });
  return visit.redirect(`/login/code${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`);
}
