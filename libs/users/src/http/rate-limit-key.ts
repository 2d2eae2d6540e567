import type { UserId } from '@annals/kernel/domain';

/**
 * What failed attempts to prove oneself by a password are counted under: the account, for who stole a key might give it
 * one address after the other; where there is none, the username, so that the answers are alike.
 */
export const rateLimitKey = (of: UserId | string): string => (typeof of === 'number' ? `account ${of}` : of);
