import type { UserId } from '@annals/kernel/domain';
import { DAY_MS, fact } from '@annals/kernel/domain';
import type { Account } from '../account/account';
import { known } from '../account/account';
import { isActive } from '../account/account-parts';
import { firstLogin } from './keys';
import type { FirstLoggedIn } from '../events';
import { reject } from '../rejections';
import type { SessionEnding, SessionId } from './session-events';
import { SessionBegan, SessionsEnded } from './session-events';

/** Most sessions of an account. A login beyond them ends the one that was unused for longest. */
export const MAX_SESSIONS = 20;
/** A session ends so long after its last use, and so long after it began. */
export const IDLE_MS = 14 * DAY_MS;
export const ABSOLUTE_MS = 90 * DAY_MS;

/** The times of a session, in milliseconds since the epoch. */
export interface SessionTimes {
  readonly beganAt: number;
  readonly usedAt: number;
}

/** Whether a session is too old, or unused for too long. */
export const isExpired = ({ beganAt, usedAt }: SessionTimes, now: number): boolean =>
  now - usedAt >= IDLE_MS || now - beganAt >= ABSOLUTE_MS;

/** The sessions of an account that no login continues: which have expired, and which were used last. */
export interface SessionUses {
  readonly expired: readonly SessionId[];
  /** The others, the one unused for longest first. */
  readonly leastRecentlyUsed: readonly SessionId[];
}

/** Begins a session after a login. Refused for a deactivated account, and for bots, which use keys. */
export function beginSession(
  state: Account | null,
  { sessionId, method }: { readonly sessionId: SessionId; readonly method: string },
  { expired, leastRecentlyUsed }: SessionUses,
): (FirstLoggedIn | SessionsEnded | SessionBegan)[] {
  const account = known(state);
  const { userId } = account;
  if (account.botType !== null) throw reject.noSuchUser();
  if (!isActive(account)) throw reject.accountDeactivated();
  const surplus = leastRecentlyUsed.slice(0, Math.max(0, leastRecentlyUsed.length + 1 - MAX_SESSIONS));
  return [
    ...firstLogin(state),
    ...ended(userId, expired, 'expired'),
    ...ended(userId, surplus, 'limit'),
    fact(SessionBegan, { userId, sessionId, method }),
  ];
}

/** Ends all sessions of an account, except one if it is named. */
export function endSessions(
  state: Account | null,
  because: SessionEnding,
  except: number | undefined = undefined,
): SessionsEnded[] {
  if (!state) return [];
  const { userId, sessions } = state;
  return ended(
    userId,
    sessions.filter((session) => session !== except),
    because,
  );
}

/** Ends one session of an account. @throws Rejected BAD_REQUEST for one that is none of the account's */
export function endSession(state: Account | null, sessionId: SessionId, because: SessionEnding): SessionsEnded[] {
  const { userId, sessions } = known(state);
  if (!sessions.includes(sessionId)) throw reject.noSuchSession();
  return ended(userId, [sessionId], because);
}

const ended = (userId: UserId, sessionIds: readonly SessionId[], because: SessionEnding): SessionsEnded[] =>
  sessionIds.length === 0 ? [] : [fact(SessionsEnded, { userId, sessionIds: [...sessionIds], because })];
