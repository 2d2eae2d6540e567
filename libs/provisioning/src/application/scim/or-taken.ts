import { Rejected } from '@annals/kernel/domain';
import { reject } from '../../domain/scim/rejections';

/**
 * Does what claims a name or an address that was free a moment ago. Another request may have taken it since, and the refusal of the
 * other context has no `scimType`.
 *
 * @throws Rejected UNIQUENESS if it is taken now
 */
export async function orTaken<T>(claim: () => Promise<T>, isTaken: () => Promise<boolean>, why: string): Promise<T> {
  try {
    return await claim();
  } catch (error) {
    if (error instanceof Rejected && (await isTaken())) throw reject.taken({ why });
    throw error;
  }
}
