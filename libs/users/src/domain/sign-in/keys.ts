import { fact } from '@annals/kernel/domain';
import type { Account } from '../account/account';
import { known } from '../account/account';
import { isActive } from '../account/account-parts';
import type { AccountEvent, KeyId } from '../events';
import { ApiKeyIssued, ApiKeysRevoked, FirstLoggedIn } from '../events';
import { reject } from '../rejections';

/** Most keys of an account. Each login creates one. */
export const MAX_KEYS = 50;

/**
 * Issues a key. At the limit, the least recently used key ends.
 *
 * @param leastRecentlyUsed the account's keys, the one unused for longest first. Needed at the limit only
 */
export function issueKey(
  state: Account | null,
  keyId: KeyId,
  leastRecentlyUsed: readonly KeyId[],
): (ApiKeysRevoked | ApiKeyIssued)[] {
  const { userId, keys } = known(state);
  const surplus = leastRecentlyUsed.slice(0, Math.max(0, keys.length + 1 - MAX_KEYS));
  const issued = fact(ApiKeyIssued, { userId, keyId });
  return surplus.length === 0 ? [issued] : [fact(ApiKeysRevoked, { userId, keyIds: surplus }), issued];
}

/** A new key that replaces all existing ones: each of them ends (contract/boot.md section 2.2). */
export function regenerateKey(state: Account | null, keyId: KeyId): (ApiKeysRevoked | ApiKeyIssued)[] {
  const account = known(state);
  if (!isActive(account)) throw reject.accountDeactivated();
  return keyReplaced(account, keyId);
}

/** One key that replaces all keys of an account. */
export function keyReplaced({ userId, keys }: Account, keyId: KeyId): (ApiKeysRevoked | ApiKeyIssued)[] {
  const issued = fact(ApiKeyIssued, { userId, keyId });
  return keys.length === 0 ? [issued] : [fact(ApiKeysRevoked, { userId, keyIds: [...keys] }), issued];
}

/** Ends one key of an account. @throws Rejected BAD_REQUEST for a key that is none of the account's */
export function endKey(state: Account | null, keyId: KeyId): ApiKeysRevoked[] {
  const { userId, keys } = known(state);
  if (!keys.includes(keyId)) throw reject.noSuchKey();
  return [fact(ApiKeysRevoked, { userId, keyIds: [keyId] })];
}

/** Issues one more key. Refused for a deactivated account. */
export function grantKey(state: Account | null, keyId: KeyId, leastRecentlyUsed: readonly KeyId[]): AccountEvent[] {
  if (!isActive(known(state))) throw reject.accountDeactivated();
  return issueKey(state, keyId, leastRecentlyUsed);
}

/** Issues a key after a login (contract/boot.md section 2.2). */
export const logIn = (state: Account | null, keyId: KeyId, leastRecentlyUsed: readonly KeyId[]): AccountEvent[] => [
  ...firstLogin(state),
  ...grantKey(state, keyId, leastRecentlyUsed),
];

/** The first use of an account that another user created. Later uses are no events (contract/users.md section 1). */
export function firstLogin(state: Account | null): FirstLoggedIn[] {
  const account = known(state);
  const { userId, awaitsFirstLogin, isImported } = account;
  if (!isActive(account) || !awaitsFirstLogin) return [];
  return [fact(FirstLoggedIn, { userId, ...(isImported && { wasImported: true as const }) })];
}
