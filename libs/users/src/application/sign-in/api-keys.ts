import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import type { Account } from '../../domain/account/account';
import { MAX_KEYS, userAggregate } from '../../domain/account/account';
import type { AccountEvent, KeyId } from '../../domain/events';
import { digestOf, keySecret } from '../../read/account/api-key';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A decision that issues a key: `issueKey`, or `logIn`. */
type Issue = (account: Account | null, keyId: KeyId, leastRecentlyUsed: readonly KeyId[]) => readonly AccountEvent[];

/** Makes API keys: 32 letters and digits, of which only the digest is kept. */
@Injectable()
export class ApiKeys {
  constructor(private readonly kernel: Kernel) {}

  /** A new key, known to its owner alone. */
  random(): string {
    return Array.from({ length: 32 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  }

  /** Lets the key work for the account once the append is stored. */
  async issue(work: Work, userId: UserId, key: string, decide: Issue): Promise<void> {
    const keyId = (await this.kernel.ids.next(work.realmId, 'api-key')) as KeyId;
    const account = await work.read(userAggregate, userId);
    const oldest = await this.leastRecentlyUsed(work.realmId, account?.keys ?? []);
    const facts = await work.decide(userAggregate, userId, (state) => [...decide(state, keyId, oldest)]);
    for (const change of facts.flatMap((fact) => secretsOf(fact, key))) work.secret(change);
  }

  private async leastRecentlyUsed(realmId: RealmId, keys: readonly KeyId[]): Promise<KeyId[]> {
    if (keys.length < MAX_KEYS) return [];
    const { rows } = await this.kernel.database.pool.query<{ id: string }>({
      name: 'api-keys-by-use',
      text: 'SELECT id FROM secrets WHERE realm_id = $1 AND id = ANY($2::text[]) ORDER BY used_at NULLS FIRST, id',
      values: [realmId, keys.map(keySecret)],
    });
    const byId = new Map(keys.map((key) => [keySecret(key), key]));
    return rows.map(({ id }) => byId.get(id)).filter((key): key is KeyId => key !== undefined);
  }
}

function secretsOf(fact: AccountEvent, key: string): Parameters<Work['secret']>[0][] {
  if (fact.type === 'users.ApiKeyIssued') {
    return [{ put: keySecret(fact.data.keyId), kind: 'api-key', value: digestOf(key) }];
  }
  return fact.type === 'users.ApiKeysRevoked' ? fact.data.keyIds.map((keyId) => ({ drop: keySecret(keyId) })) : [];
}
