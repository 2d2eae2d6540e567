import type { Work } from '@annals/kernel';
import { ALPHANUMERIC, Kernel, randomText } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Account } from '../../domain/account/account';
import { userAggregate } from '../../domain/account/account';
import { MAX_KEYS } from '../../domain/sign-in/keys';
import type { AccountEvent, KeyId } from '../../domain/events';
import { digestOf, apiKeySecret } from '../../read/account/api-key';

/** 32 letters and digits that nobody can guess. */
export const unguessable = (): string => randomText(ALPHANUMERIC, 32);

/** A decision that issues a key: `issueKey`, or `logIn`. */
type Issue = (
  account: Account | null,
  keyId: KeyId,
  leastRecentlyUsed: readonly KeyId[],
  neverUsed: readonly KeyId[],
) => readonly AccountEvent[];

/** The keys of an account at the limit. Both lists are empty below it. */
interface Uses {
  readonly leastRecentlyUsed: readonly KeyId[];
  readonly neverUsed: readonly KeyId[];
}

interface IssueOptions {
  /** The key counts as used when it is used for the first time, not when it is issued. */
  readonly isUnused?: boolean;
}

/** Creates API keys: 32 letters and digits. Only the digest is stored. */
@Injectable()
export class ApiKeys {
  constructor(private readonly kernel: Kernel) {}

  /** A new key. Only its owner has it. */
  random(): string {
    return unguessable();
  }

  /** Makes the key valid for the account when the append is stored. */
  async issue(work: Work, userId: UserId, key: string, decide: Issue, options: IssueOptions = {}): Promise<void> {
    const keyId = (await this.kernel.ids.next(work.realmId, 'api-key')) as KeyId;
    const account = await work.read(userAggregate, userId);
    const uses = await this.usesOf(work.realmId, account?.keys ?? []);
    const facts = await work.decide(userAggregate, userId, (state) => [
      ...decide(state, keyId, uses.leastRecentlyUsed, uses.neverUsed),
    ]);
    for (const change of facts.flatMap((fact) => secretsOf(fact, key, options))) work.secret(change);
  }

  /** Whether a key is one of an account's, and records that it was used. Reads no read model. */
  async accepts(realmId: RealmId, { keys }: Pick<Account, 'keys'>, key: string): Promise<boolean> {
    const { rowCount } = await this.kernel.database.pool.query({
      name: 'api-key-of-account',
      text: `UPDATE secrets SET used_at = greatest(used_at, $4::int8)
        WHERE realm_id = $1 AND id = ANY($2::text[]) AND value = $3`,
      values: [realmId, keys.map(apiKeySecret), digestOf(key), this.kernel.clock.now()],
    });
    return rowCount === 1;
  }

  private async usesOf(realmId: RealmId, keys: readonly KeyId[]): Promise<Uses> {
    if (keys.length < MAX_KEYS) return { leastRecentlyUsed: [], neverUsed: [] };
    const { rows } = await this.kernel.database.pool.query<{ id: string; isUnused: boolean }>({
      name: 'api-keys-by-use',
      text: `SELECT id, used_at IS NULL AS "isUnused" FROM secrets WHERE realm_id = $1 AND id = ANY($2::text[])
        ORDER BY used_at NULLS FIRST, length(id), id`,
      values: [realmId, keys.map(apiKeySecret)],
    });
    const byId = new Map(keys.map((key) => [apiKeySecret(key), key]));
    const found = (ids: typeof rows) => ids.flatMap(({ id }) => byId.get(id) ?? []);
    return { leastRecentlyUsed: found(rows), neverUsed: found(rows.filter(({ isUnused }) => isUnused)) };
  }
}

function secretsOf(
  fact: AccountEvent,
  key: string,
  { isUnused = false }: IssueOptions,
): Parameters<Work['secret']>[0][] {
  if (fact.type === 'users.ApiKeyIssued') {
    return [{ put: apiKeySecret(fact.data.keyId), kind: 'api-key', value: digestOf(key), isUnused }];
  }
  return fact.type === 'users.ApiKeysRevoked' ? fact.data.keyIds.map((keyId) => ({ drop: apiKeySecret(keyId) })) : [];
}
