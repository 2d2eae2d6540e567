import { timingSafeEqual } from 'node:crypto';
import { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { cookieDigest, newSessionCookie, presentedIn } from '../../read/sign-in/session-cookie';

/** How long a person has to enter the code after the password. */
const PENDING_MS = 10 * 60 * 1000;

export const pendingLoginSecret = (userId: UserId): string => `pending-login-${userId}`;

/** A login whose password was right, and whose code is missing. */
export interface PendingLogin {
  readonly userId: UserId;
  readonly method: string;
}

/** Logins between the password and the code. An account has one at most, and another password ends it. */
@Injectable()
export class PendingLogins {
  constructor(private readonly kernel: Kernel) {}

  /** @returns the value of its cookie. Only the digest is stored */
  async begin(realmId: RealmId, { userId, method }: PendingLogin): Promise<string> {
    const cookie = newSessionCookie(userId);
    await this.kernel.database.pool.query({
      name: 'pending-login-begin',
      text: `INSERT INTO secrets (realm_id, id, kind, value, used_at) VALUES ($1, $2, 'pending-login', $3, $4)
        ON CONFLICT (realm_id, id) DO UPDATE SET value = excluded.value, used_at = excluded.used_at`,
      values: [
        realmId,
        pendingLoginSecret(userId),
        Buffer.concat([cookieDigest(cookie), Buffer.from(method)]),
        this.kernel.clock.now(),
      ],
    });
    return cookie;
  }

  /** Undefined for a cookie that is of no use any more. */
  async find(realmId: RealmId, cookie: string): Promise<PendingLogin | undefined> {
    const presented = presentedIn(cookie);
    if (!presented) return undefined;
    const { userId, digest } = presented;
    const { rows } = await this.kernel.database.pool.query<{ value: Buffer }>({
      name: 'pending-login-find',
      text: 'SELECT value FROM secrets WHERE realm_id = $1 AND id = $2 AND used_at > $3',
      values: [realmId, pendingLoginSecret(userId), this.kernel.clock.now() - PENDING_MS],
    });
    const stored = rows[0]?.value;
    if (!stored || !timingSafeEqual(stored.subarray(0, digest.length), digest)) return undefined;
    return { userId, method: stored.subarray(digest.length).toString() };
  }
}
