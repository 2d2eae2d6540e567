import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { Position, RealmId, UserId } from '@annals/kernel/domain';
import { ensureUsable } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import { beginSession, endSession, endSessions, isExpired } from '../../domain/sign-in/sessions';
import type { SessionUses } from '../../domain/sign-in/sessions';
import type { SessionEnding, SessionId } from '../../domain/sign-in/session-events';
import type { AccountEvent } from '../../domain/events';
import { KnownSessions } from '../../read/sign-in/known-sessions';
import { cookieDigest, newSessionCookie, sessionSecret } from '../../read/sign-in/session-cookie';

/** An account with a session of a browser. */
export interface SessionAccount {
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

interface UsedSession {
  readonly id: string;
  readonly usedAt: number;
  readonly beganAt: number;
  readonly beganPosition: Position;
}

/** Begins and ends the sessions of browsers. They end in every process at once, like keys. */
@Injectable()
export class Sessions {
  constructor(
    private readonly kernel: Kernel,
    private readonly known: KnownSessions,
  ) {}

  /**
   * Begins a session of an account whose person has proved who they are. Its cookie is new, so nobody can have planted it before.
   *
   * @returns the value of the cookie, valid when the append is stored
   * @throws Rejected USER_DEACTIVATED
   */
  async begin(work: Work, userId: UserId, { method }: { readonly method: string }): Promise<string> {
    const sessionId = (await this.kernel.ids.next(work.realmId, 'session')) as SessionId;
    const account = await work.read(userAggregate, userId);
    const uses = await this.usesOf(work, account?.sessions ?? []);
    const facts = await work.decide(userAggregate, userId, (state) => beginSession(state, { sessionId, method }, uses));
    dropEnded(work, facts);
    const cookie = newSessionCookie(userId);
    work.secret({ put: sessionSecret(sessionId), kind: 'session', value: cookieDigest(cookie) });
    return cookie;
  }

  /** Ends one session of an account. @throws Rejected BAD_REQUEST for one that is none of the account's */
  async endOne(work: Work, { userId, sessionId }: SessionAccount, because: SessionEnding): Promise<void> {
    dropEnded(work, await work.decide(userAggregate, userId, (state) => endSession(state, sessionId, because)));
  }

  /** Ends the session that a browser has, if it is valid, because somebody logs in with the browser. */
  async endFormer(work: Work, cookie: string | undefined): Promise<void> {
    const former = cookie === undefined ? null : await this.accountOf(work.realmId, cookie);
    if (former) await this.endOne(work, former, 'logout');
  }

  /** Ends all sessions of an account. @param except remains, for example that of the request */
  async endAll(work: Work, userId: UserId, because: SessionEnding, except?: number): Promise<void> {
    dropEnded(work, await work.decide(userAggregate, userId, (state) => endSessions(state, because, except)));
  }

  /** The account of a cookie in this organization. Null if it has ended or expired. */
  async accountOf(realmId: RealmId, cookie: string): Promise<SessionAccount | null> {
    await this.kernel.fence.reach(realmId);
    const presented = this.known.presentedIn(cookie);
    const sessionId = presented && (await this.known.accept(realmId, presented));
    return sessionId === undefined ? null : { userId: presented?.userId as UserId, sessionId };
  }

  private async usesOf(work: Work, sessions: readonly SessionId[]): Promise<SessionUses> {
    if (sessions.length === 0) return { expired: [], leastRecentlyUsed: [] };
    const since = (await ensureUsable(work))?.position ?? 0;
    const { rows } = await this.kernel.database.pool.query<UsedSession>({
      name: 'sessions-by-use',
      text: `SELECT s.id, s.used_at AS "usedAt", v.began_at AS "beganAt", v.began_position AS "beganPosition" FROM secrets s
        JOIN view.sessions v ON v.realm_id = s.realm_id AND s.id = 'session-' || v.session_id
        WHERE s.realm_id = $1 AND s.id = ANY($2::text[]) ORDER BY s.used_at, v.session_id`,
      values: [work.realmId, sessions.map(sessionSecret)],
    });
    const byId = new Map(sessions.map((session) => [sessionSecret(session), session]));
    const of = (some: typeof rows) => some.flatMap(({ id }) => byId.get(id) ?? []);
    const isOld = (row: UsedSession) => row.beganPosition <= since || isExpired(row, work.at);
    return { expired: of(rows.filter(isOld)), leastRecentlyUsed: of(rows.filter((row) => !isOld(row))) };
  }
}

function dropEnded(work: Work, facts: readonly AccountEvent[]): void {
  for (const fact of facts) {
    if (fact.type !== 'users.SessionsEnded') continue;
    for (const sessionId of fact.data.sessionIds) work.secret({ drop: sessionSecret(sessionId) });
  }
}
