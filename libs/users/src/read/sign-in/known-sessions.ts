import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { Position, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { OrganizationFacts } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { isExpired } from '../../domain/sign-in/sessions';
import type { SessionId } from '../../domain/sign-in/session-events';
import type { AccountEvent } from '../../domain/events';
import { USE_RESOLUTION_MS } from '../account/known-api-keys';
import type { PresentedCookie } from './session-cookie';
import { presentedIn, sessionSecret } from './session-cookie';

interface StoredSession {
  readonly sessionId: SessionId;
  readonly digest: Buffer;
  readonly beganAt: number;
  readonly beganPosition: Position;
  usedAt: number;
}

/** The sessions of accounts, cached in the process. Exact after the fence. */
@Injectable()
export class KnownSessions {
  private readonly sessions: FactCache<readonly StoredSession[]>;

  constructor(
    private readonly kernel: Kernel,
    private readonly organizations: OrganizationFacts,
  ) {
    this.sessions = kernel.facts<readonly StoredSession[]>({
      touched,
      load: (realmId, ids) => this.load(realmId, ids),
    });
  }

  /** The account that a cookie names. Undefined for a value that is no cookie of a session. */
  presentedIn(cookie: string): PresentedCookie | undefined {
    return presentedIn(cookie);
  }

  /** The session with this cookie, if it has neither ended nor expired. Records that it was used. */
  async accept(realmId: RealmId, { userId, digest }: PresentedCookie): Promise<SessionId | undefined> {
    const session = (await this.of(realmId, userId)).find((one) => timingSafeEqual(one.digest, digest));
    if (!session || (await this.isOver(realmId, session))) return undefined;
    await this.noteUse(realmId, session);
    return session.sessionId;
  }

  /** Whether a session that was accepted has not ended. */
  async has(realmId: RealmId, userId: UserId, sessionId: number): Promise<boolean> {
    return (await this.of(realmId, userId)).some((one) => one.sessionId === sessionId);
  }

  /** Another process may have noted a use since this one read the session. */
  private async isOver(realmId: RealmId, session: StoredSession): Promise<boolean> {
    const now = this.kernel.clock.now();
    if (!isExpired(session, now)) return false;
    const { rows } = await this.kernel.database.pool.query<{ usedAt: number }>(
      'SELECT used_at AS "usedAt" FROM secrets WHERE realm_id = $1 AND id = $2',
      [realmId, sessionSecret(session.sessionId)],
    );
    session.usedAt = Math.max(session.usedAt, rows[0]?.usedAt ?? 0);
    return isExpired(session, now);
  }

  /** Without those of before a reactivation of the organization. */
  private async of(realmId: RealmId, userId: UserId): Promise<readonly StoredSession[]> {
    const all = (await this.sessions.get(realmId, userId)) ?? [];
    const reactivation = await this.organizations.reactivation(realmId);
    return reactivation ? all.filter(({ beganPosition }) => beganPosition > reactivation.position) : all;
  }

  private async noteUse(realmId: RealmId, session: StoredSession): Promise<void> {
    const now = this.kernel.clock.now();
    if (now - session.usedAt < USE_RESOLUTION_MS) return;
    session.usedAt = now; // This is before the query, so that one of many requests at once sends it.
    await this.kernel.database.pool.query(
      'UPDATE secrets SET used_at = $3 WHERE realm_id = $1 AND id = $2 AND used_at < $3',
      [realmId, sessionSecret(session.sessionId), now],
    );
  }

  private async load(realmId: RealmId, userIds: readonly string[]): Promise<Map<string, readonly StoredSession[]>> {
    const { rows } = await this.kernel.database.pool.query<StoredSession & { readonly userId: UserId }>({
      name: 'sessions-of-users',
      text: `SELECT v.user_id AS "userId", v.session_id AS "sessionId", v.began_at AS "beganAt",
          v.began_position AS "beganPosition", s.value AS digest, s.used_at AS "usedAt"
        FROM view.sessions v JOIN secrets s ON s.realm_id = v.realm_id AND s.id = 'session-' || v.session_id
        WHERE v.realm_id = $1 AND v.user_id = ANY($2::int8[]) ORDER BY v.session_id`,
      values: [realmId, userIds],
    });
    const sessions = new Map<string, StoredSession[]>(userIds.map((id) => [id, []]));
    for (const row of rows) sessions.get(String(row.userId))?.push(row);
    return sessions;
  }
}

/** A process that has not heard of a use takes the session for less used, until it loads it again. */
function touched(event: Recorded): readonly UserId[] {
  if (event.type !== 'users.SessionBegan' && event.type !== 'users.SessionsEnded') return [];
  return [(event as Recorded<AccountEvent>).data.userId];
}
