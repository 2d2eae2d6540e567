import { createDecipheriv } from 'node:crypto';
import type { Browser } from '../server/browser';
import type { OidcClaims, OidcServer } from './oidc-server';

let made = 0;

/** Somebody at a provider. @returns the subject by which it knows them */
export function somebodyAt(provider: OidcServer, claims: OidcClaims): string {
  const sub = `subject-${++made}`;
  provider.people.set(sub, { email_verified: true, name: 'Some Body', ...claims });
  return sub;
}

/**
 * Begins a login in a browser, and logs somebody in at the provider.
 *
 * @param path where logins at this provider begin
 * @returns where the provider sends the browser back to
 */
export async function departed(browser: Browser, provider: OidcServer, sub: string, path: string): Promise<string> {
  const { status, headers, words } = await browser.open(path, { staysHere: true });
  if (status !== 303) throw new Error(`no login begins at ${path}: ${words}`);
  return provider.logIn(headers.get('location') ?? '', sub);
}

/** What a desktop app reads from the text that a person pasted. @param pad of the app */
export function readByApp(text: string, pad: string): string {
  const bytes = Buffer.from(text, 'hex');
  const opening = createDecipheriv('aes-256-gcm', Buffer.from(pad, 'hex'), bytes.subarray(0, 12));
  opening.setAuthTag(bytes.subarray(-16));
  return opening.update(bytes.subarray(12, -16)).toString() + opening.final('utf8');
}
