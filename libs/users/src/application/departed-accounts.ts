import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { userAggregate } from '../domain/account';
import type { Deletions } from '../domain/departure';
import { deleteWith } from '../domain/departure';
import { keySecret } from '../read/api-key';
import { passwordSecret } from './passwords';

/** Deletes what is asked for of an account that has just ended; with the profile its password and its keys go. */
export async function letGoOf(work: Work, userId: UserId, deletions: Deletions): Promise<void> {
  const facts = await work.decide(userAggregate, userId, (state) => deleteWith(state, deletions));
  for (const fact of facts) {
    if (fact.type === 'users.ApiKeysRevoked') for (const id of fact.data.keyIds) work.secret({ drop: keySecret(id) });
    if (fact.type === 'users.ProfileDeleted') work.secret({ drop: passwordSecret(userId) });
  }
}
