import type { FactOf, Id } from '@annals/kernel/domain';
import { defineEvent, t, userId, words } from '@annals/kernel/domain';

/** Names one session of a browser. Its cookie is stored nowhere: only the browser has it. */
export type SessionId = Id<'session'>;

const sessionId = t.Unsafe<SessionId>(t.Integer({ minimum: 1 }));
const aboutUser = ({ userId: user }: { userId: number }) => [['user', user] as const];

/** Why sessions end. */
export const SESSION_ENDINGS = [
  /** The person logged out, or logged in again with the same browser. */
  'logout',
  /** The person ended it from another one. */
  'ended',
  'password',
  'keys',
  'deactivation',
  /** Too long ago, or unused for too long. */
  'expired',
  /** The account has too many, and it was unused for longest. */
  'limit',
] as const;
export type SessionEnding = (typeof SESSION_ENDINGS)[number];

/** Stream `user-{id}`: somebody logged in with a browser. The digest of the cookie is stored beside the log under the session's id. */
export const SessionBegan = defineEvent('users.SessionBegan', {
  data: t.Object({
    userId,
    sessionId,
    /** How they proved who they are: a way to log in of the organization, such as `Email` or `SAML`. */
    method: t.String({ minLength: 1, maxLength: 40 }),
  }),
  subjects: aboutUser,
});
export type SessionBegan = FactOf<typeof SessionBegan>;

/** Sessions of an account are not valid any more. */
export const SessionsEnded = defineEvent('users.SessionsEnded', {
  data: t.Object({ userId, sessionIds: t.Array(sessionId, { minItems: 1 }), because: words(...SESSION_ENDINGS) }),
  subjects: aboutUser,
});
export type SessionsEnded = FactOf<typeof SessionsEnded>;
