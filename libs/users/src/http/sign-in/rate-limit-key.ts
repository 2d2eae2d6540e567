import type { UserId } from '@annals/kernel/domain';

/**
 * The key that failed password attempts are counted by: the account, because a stolen key could be used to change its
 * email between attempts; without an account, the username, so that the answers are the same. No
 * username is counted as an account, whatever somebody types.
 */
export const rateLimitKey = (of: UserId | string): string => (typeof of === 'number' ? `account ${of}` : `name ${of}`);
