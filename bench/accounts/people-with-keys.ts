import { createHash } from 'node:crypto';
import type { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { accountStream, fact } from '@annals/kernel/domain';
import { ApiKeyIssued } from '@annals/users';
import { crowd } from '../../libs/users/src/spec-support/crowd';

const REALM = 1 as RealmId;
const origin = { client: 'bench', correlation: '00000000-0000-4000-8000-000000000003', address: null };

/** An account of a crowd that can send requests. */
export interface PersonWithKey {
  readonly userId: UserId;
  readonly email: string;
  readonly key: string;
}

/** Accounts with an API key each, all in two appends. */
export async function peopleWithKeys(kernel: Kernel, count: number): Promise<PersonWithKey[]> {
  const ids = await crowd(kernel, count, REALM);
  const people: PersonWithKey[] = [];
  await kernel.work.run({ realmId: REALM, userId: null, origin }, async (work) => {
    for (const userId of ids) {
      const key = String(userId).padStart(32, 'k');
      const keyId = await kernel.ids.next(REALM, 'api-key');
      work.append(accountStream(userId), [fact(ApiKeyIssued, { userId, keyId: keyId })]);
      work.secret({ put: `api-key-${keyId}`, kind: 'api-key', value: createHash('sha256').update(key).digest() });
      people.push({ userId, email: `crowd${userId}@example.com`, key });
    }
  });
  return people;
}
