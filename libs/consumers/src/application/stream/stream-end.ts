import { Rejected } from '@annals/kernel/domain';

/**
 * Why a stream ends, as its client receives it (docs/api/feed.md): the consumer was deleted, its owner may not
 * read it any more, the login has ended, a newer stream of the worker began, nothing was acknowledged for too long, or the
 * client has to continue in another process.
 */
export type ConsumerStreamEnd =
  'consumer_gone' | 'unauthorized' | 'login_changed' | 'replaced' | 'unacknowledged' | 'unavailable';

const ENDS: Readonly<Record<string, ConsumerStreamEnd>> = {
  NO_SUCH_CONSUMER: 'consumer_gone',
  UNAUTHORIZED_AUDIT: 'unauthorized',
  INVALID_API_KEY: 'login_changed',
  USER_DEACTIVATED: 'login_changed',
};

/** How a stream ends that cannot continue. After `unavailable` the client connects again, and gets the refusal. */
export const endAfter = (error: unknown): ConsumerStreamEnd =>
  (error instanceof Rejected ? ENDS[error.code] : undefined) ?? 'unavailable';
