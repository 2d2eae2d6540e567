import { hash, randomBytes } from 'node:crypto';
import type { UserId } from '@annals/kernel/domain';
import type { SessionId } from '../../domain/sign-in/session-events';

/** The value of a session's cookie, taken apart. Nothing is proved. */
export interface PresentedCookie {
  readonly userId: UserId;
  /** Of the whole value. */
  readonly digest: Buffer;
}

const COOKIE = /^(\d{1,15})-[\w-]{43}$/;

/** A value that nobody can guess. It names the account, so that its sessions can be read from a cache. */
export const newSessionCookie = (userId: UserId): string => `${userId}-${randomBytes(32).toString('base64url')}`;

/** Undefined for what cannot be the value of a session's cookie. */
export function presentedIn(cookie: string): PresentedCookie | undefined {
  const userId = COOKIE.exec(cookie)?.[1];
  return userId === undefined ? undefined : { userId: Number(userId) as UserId, digest: cookieDigest(cookie) };
}

/** The stored form of a cookie. Its value is random, so a fast hash is enough. */
export const cookieDigest = (cookie: string): Buffer => hash('sha256', cookie, 'buffer');

/** Name of the secret with the digest of a session's cookie. */
export const sessionSecret = (sessionId: SessionId): string => `session-${sessionId}`;
