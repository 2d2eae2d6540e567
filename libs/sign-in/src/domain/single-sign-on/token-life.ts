import { DAY_MS } from '@annals/kernel/domain';
import { reject } from './sign-on-rejections';

/** Times of a JSON Web Token, in seconds. Signature and types were checked. */
export interface TokenTimes {
  readonly exp?: number | undefined;
  readonly iat?: number | undefined;
}

/** Seconds by which the clocks may differ. */
export const TOKEN_TOLERANCE = 30;
/** How long a token counts at most. One that counts for ever is a key that nobody can end. */
const LIFE_MS = DAY_MS;
/** The same where the operator takes lasting tokens. A token with `jti` is remembered so long. */
const LASTING_MS = 10 * 365 * DAY_MS;

/**
 * When a token is not accepted any more, in milliseconds since the epoch. It says so itself (`exp`), or counts for a day after it was
 * made (`iat`).
 *
 * @param isLasting tokens may count for years, and without an end
 * @throws Rejected for a token without an end, or with one that is too far ahead, and for one that is too old or was not made yet
 */
export function endOfToken({ exp, iat }: TokenTimes, now: number, isLasting: boolean): number {
  if (iat !== undefined && iat > now / 1000 + TOKEN_TOLERANCE) throw reject.jwtBad();
  const latest = now + (isLasting ? LASTING_MS : LIFE_MS);
  if (exp !== undefined) {
    const until = endAfter(exp);
    if (until > now + LASTING_MS) throw reject.jwtEndless();
    // Both clocks count: the other system makes the token, and this server reads it.
    if (until > latest + 2 * TOKEN_TOLERANCE * 1000) throw reject.jwtTooLong();
    return until;
  }
  if (isLasting) return latest;
  if (iat === undefined) throw reject.jwtWithoutEnd();
  const until = endAfter(iat) + LIFE_MS;
  if (until <= now) throw reject.jwtBad();
  return until;
}

/** RFC 7519 allows parts of seconds. */
const endAfter = (seconds: number): number => Math.ceil((seconds + TOKEN_TOLERANCE + 1) * 1000);
