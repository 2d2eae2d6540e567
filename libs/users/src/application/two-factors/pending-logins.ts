import { timingSafeEqual } from 'node:crypto';
import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import type { AuthenticationMethod } from '@annals/realm';
import { AuthenticationMethods, ensureUsable } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import { cookieDigest, newSessionCookie, presentedIn } from '../../read/sign-in/session-cookie';

const MINUTE_MS = 60_000;

/** Why a login waits, and for how long (ms): for the code after the password, or for the desktop app after the browser. */
const WAITS = { 'pending-login': 10 * MINUTE_MS, 'desktop-login': 5 * MINUTE_MS } as const;
export type PendingLoginKind = keyof typeof WAITS;
export const PENDING_LOGINS = Object.keys(WAITS) as PendingLoginKind[];

/** Name of the secret with the digest of the token, and how the person proved who they are. */
export const pendingLoginSecret = (kind: PendingLoginKind, userId: UserId): string => `${kind}-${userId}`;

/** A login of somebody who has proved who they are, and from whom one more step is missing. */
export interface PendingLogin {
  readonly userId: UserId;
  readonly method: AuthenticationMethod;
  /** The other system that vouched for them. Null without one. */
  readonly provider: string | null;
}

/** Stands between method and provider. No method has it. */
const SEPARATOR = '\n';

/**
 * Logins between two steps. An account has one of a kind at most. Another password, other keys, another email and a deactivation end it
 * (`endUnfinished`). A way to log in that is turned off ends it too, and so does a deactivation of the organization.
 */
@Injectable()
export class PendingLogins {
  constructor(
    private readonly kernel: Kernel,
    private readonly methods: AuthenticationMethods,
  ) {}

  /**
   * Begins one, of an account that the unit of work has read.
   *
   * @returns the token with which the person takes the next step. Only the digest is stored
   */
  begin(work: Work, kind: PendingLoginKind, { userId, method, provider }: PendingLogin): string {
    const token = newSessionCookie(userId);
    const way = provider === null ? method : `${method}${SEPARATOR}${provider}`;
    const value = Buffer.concat([cookieDigest(token), Buffer.from(way)]);
    work.secret({ put: pendingLoginSecret(kind, userId), kind, value });
    return token;
  }

  /** The login of a token, for what a page shows. Undefined for a token that is of no use any more. */
  async find(realmId: RealmId, kind: PendingLoginKind, token: string): Promise<PendingLogin | undefined> {
    return (await this.stored(realmId, kind, token))?.login;
  }

  /**
   * Takes the login of a token, which is of no use afterwards. The unit of work must store an event of the account, so that of two who
   * take it at once one is decided again.
   *
   * @returns undefined for a token that is of no use any more
   */
  async take(work: Work, kind: PendingLoginKind, token: string): Promise<PendingLogin | undefined> {
    const userId = presentedIn(token)?.userId;
    if (userId === undefined) return undefined;
    // Read before the token: what ends the login is an event of the account, and the append depends on this version of it.
    await work.read(userAggregate, userId);
    const reactivation = await ensureUsable(work);
    const found = await this.stored(work.realmId, kind, token);
    if (!found || (reactivation !== null && found.beganAt <= reactivation.at)) return undefined;
    if (!(await this.methods.isOnIn(work, found.login.method))) return undefined;
    work.secret({ drop: pendingLoginSecret(kind, userId) });
    return found.login;
  }

  private async stored(realmId: RealmId, kind: PendingLoginKind, token: string) {
    const presented = presentedIn(token);
    if (!presented) return undefined;
    const { userId, digest } = presented;
    const { rows } = await this.kernel.database.pool.query<{ value: Buffer; beganAt: number }>({
      name: 'pending-login-find',
      text: `SELECT value, used_at AS "beganAt" FROM secrets WHERE realm_id = $1 AND id = $2 AND used_at > $3`,
      values: [realmId, pendingLoginSecret(kind, userId), this.kernel.clock.now() - WAITS[kind]],
    });
    const [row] = rows;
    if (!row || !timingSafeEqual(row.value.subarray(0, digest.length), digest)) return undefined;
    const [method, provider = null] = row.value.subarray(digest.length).toString().split(SEPARATOR);
    return { login: { userId, method: method as AuthenticationMethod, provider }, beganAt: row.beganAt };
  }
}
