import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import type { AccountEvent, KeyId } from '../../domain/events';
import { digestOf, apiKeySecret } from './api-key';

/** How exactly the last use of a key is known, in ms: it is written this often at most. */
export const USE_RESOLUTION_MS = 60 * 60 * 1000;

/** Compared with if there is no key, so that the answer takes as long. */
const NOBODYS = digestOf('');

interface StoredKey {
  readonly keyId: KeyId;
  readonly digest: Buffer;
  /** Null if it was never used. */
  usedAt: number | null;
}

/** The keys of accounts, cached in the process. Exact after the fence. */
@Injectable()
export class KnownApiKeys {
  private readonly keys: FactCache<readonly StoredKey[]>;

  constructor(private readonly kernel: Kernel) {
    this.keys = kernel.facts<readonly StoredKey[]>({
      touched,
      load: (realmId, ids) => this.load(realmId, ids),
    });
  }

  /**
   * Which of the account's keys it is, if any. Records that it was used. Unknown accounts take as long as known ones.
   */
  async accept(realmId: RealmId, userId: UserId, key: string): Promise<KeyId | undefined> {
    const match = await this.find(realmId, userId, key);
    if (match) await this.noteUse(realmId, match);
    return match?.keyId;
  }

  /** The same without a record of its use. */
  async matching(realmId: RealmId, userId: UserId, key: string): Promise<KeyId | undefined> {
    return (await this.find(realmId, userId, key))?.keyId;
  }

  /** The account whose key it is, if any. Its digest is searched for, so the time of the search tells nothing of other keys. */
  async ownerOf(realmId: RealmId, key: string): Promise<UserId | undefined> {
    const { rows } = await this.kernel.database.pool.query<{ readonly user_id: UserId }>({
      name: 'owner-of-api-key',
      text: `SELECT k.user_id FROM secrets s JOIN view.api_keys k ON k.realm_id = s.realm_id AND s.id = 'api-key-' || k.key_id
        WHERE s.realm_id = $1 AND s.kind = 'api-key' AND s.value = $2`,
      values: [realmId, digestOf(key)],
    });
    return rows[0]?.user_id;
  }

  /** Whether a key that was accepted is still one of the account's. */
  async has(realmId: RealmId, userId: UserId, keyId: number): Promise<boolean> {
    return ((await this.keys.get(realmId, userId)) ?? []).some((stored) => stored.keyId === keyId);
  }

  private async find(realmId: RealmId, userId: UserId, key: string): Promise<StoredKey | undefined> {
    const digest = digestOf(key);
    const keys = (await this.keys.get(realmId, userId)) ?? [];
    if (keys.length === 0) timingSafeEqual(digest, NOBODYS);
    return keys.find((stored) => timingSafeEqual(stored.digest, digest));
  }

  private async noteUse(realmId: RealmId, key: StoredKey): Promise<void> {
    const now = this.kernel.clock.now();
    if (key.usedAt !== null && now - key.usedAt < USE_RESOLUTION_MS) return;
    key.usedAt = now; // This is before the query, so that one of many requests at once sends it.
    await this.kernel.database.pool.query(
      'UPDATE secrets SET used_at = $3 WHERE realm_id = $1 AND id = $2 AND (used_at IS NULL OR used_at < $3)',
      [realmId, apiKeySecret(key.keyId), now],
    );
  }

  private async load(realmId: RealmId, userIds: readonly string[]): Promise<Map<string, readonly StoredKey[]>> {
    const { rows } = await this.kernel.database.pool.query<{
      user_id: UserId;
      key_id: KeyId;
      value: Buffer;
      used_at: number | null;
    }>({
      name: 'api-keys-of-users',
      text: `SELECT k.user_id, k.key_id, s.value, s.used_at FROM view.api_keys k
        JOIN secrets s ON s.realm_id = k.realm_id AND s.id = 'api-key-' || k.key_id
        WHERE k.realm_id = $1 AND k.user_id = ANY($2::int8[])`,
      values: [realmId, userIds],
    });
    const keys = new Map<string, StoredKey[]>(userIds.map((id) => [id, []]));
    for (const { user_id, key_id, value, used_at } of rows) {
      keys.get(String(user_id))?.push({ keyId: key_id, digest: value, usedAt: used_at });
    }
    return keys;
  }
}

/** A deactivated account keeps its keys: they only give its owner the reason of the refusal. */
function touched(event: Recorded): readonly UserId[] {
  if (event.type !== 'users.ApiKeyIssued' && event.type !== 'users.ApiKeysRevoked') return [];
  return [(event as Recorded<AccountEvent>).data.userId];
}
