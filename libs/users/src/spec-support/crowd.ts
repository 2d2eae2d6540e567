import type { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Role, accountStream, fact } from '@annals/kernel/domain';
import { AccountCreated } from '../domain/events';

const origin = { client: 'crowd', correlation: '00000000-0000-4000-8000-000000000002', address: null };

/** Accounts without a login, all in one append. Over HTTP, each would need a password hash. */
export async function crowd(kernel: Kernel, count: number, realmId = 1 as RealmId): Promise<UserId[]> {
  const ids: UserId[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await kernel.ids.next(realmId, 'user'));
  await kernel.work.run({ realmId, userId: null, origin }, async (work) => {
    for (const userId of ids) {
      const words = { email: `crowd${userId}@example.com`, fullName: `One of the crowd ${userId}` };
      work.append(accountStream(userId), [fact(AccountCreated, { userId, ...LIKE_ALL }, words)]);
    }
  });
  return ids;
}

const LIKE_ALL = {
  role: Role.member,
  botType: null,
  botOwnerId: null,
  isSystemBot: false,
  awaitsFirstLogin: true,
  canCreateUsers: false,
  canChangeUserEmails: false,
};
