import type { Actor, Verdict } from '@annals/kernel/domain';
import { ensure, fact } from '@annals/kernel/domain';
import type { Account } from './account';
import { deactivated, known } from './account';
import { isActive } from './account-parts';
import type { Deactivated } from '../events';
import { ApiKeysRevoked, MessagesDisowned, ProfileDeleted, Reactivated } from '../events';
import { mayReactivate } from '../policies';
import { reject } from '../rejections';

/** Facts about the other accounts for a deactivation. */
export interface Remaining {
  /** No other active person is owner; the append must guard it. */
  readonly isLastOwner: boolean;
  /** No other account is active at all. */
  readonly isLastUser: boolean;
}

/**
 * Ends the actor's own account, a person's or a bot's (contract/users.md section 5).
 *
 * @throws Rejected CANNOT_DEACTIVATE_LAST_USER
 */
export function deactivateOwn(state: Account | null, { isLastOwner, isLastUser }: Remaining): Deactivated[] {
  const account = known(state);
  if (!isActive(account)) throw reject.accountDeactivated();
  if (isLastUser) throw reject.lastUserCannotLeave({ is_last_owner: false, entity: 'user' });
  if (isLastOwner) throw reject.lastOwnerCannotLeave({ is_last_owner: true, entity: 'organization owner' });
  return [deactivated(account)];
}

/**
 * Reactivates an account; an active one does not change (contract/users.md section 5). Its name and email are still
 * free, because those of deactivated accounts stay reserved.
 *
 * @param mayHaveBot whether the actor may create a bot of this type, which a reactivation requires too
 */
export function reactivate(
  state: Account | null,
  actor: Pick<Actor, 'role'>,
  rules: { readonly mayHaveBot: Verdict },
): Reactivated[] {
  ensure(mayReactivate(actor));
  const { userId, role, botType, botOwnerId, status } = known(state);
  if (status.kind === 'deleted') throw reject.isDeleted();
  if (status.kind === 'active') return [];
  if (botType !== null) ensure(rules.mayHaveBot);
  return [fact(Reactivated, { userId, role, botOwnerId })];
}

/** The parts that are deleted with an account (contract/users.md section 5). */
export interface DeletedParts {
  readonly profile: boolean;
  readonly inPublicChannels: boolean;
  readonly inPrivateChannels: boolean;
  readonly direct: boolean;
}

export const NOTHING_DELETED: DeletedParts = {
  profile: false,
  inPublicChannels: false,
  inPrivateChannels: false,
  direct: false,
};

/** Ends all keys of an account. */
export function revokeKeys(state: Account | null): ApiKeysRevoked[] {
  const { userId, keys } = known(state);
  return keys.length === 0 ? [] : [fact(ApiKeysRevoked, { userId, keyIds: [...keys] })];
}

/** Records the requested deletions of an account that was just deactivated; with the profile, its keys end too. */
export function deleteWith(
  state: Account | null,
  { profile, ...messages }: DeletedParts,
): (ApiKeysRevoked | MessagesDisowned | ProfileDeleted)[] {
  const { userId, status } = known(state);
  if (status.kind === 'active') throw new Error(`account ${userId} is in use`);
  const facts: (ApiKeysRevoked | MessagesDisowned | ProfileDeleted)[] = [];
  if (Object.values(messages).includes(true)) facts.push(fact(MessagesDisowned, { userId, ...messages }));
  if (profile) facts.push(...revokeKeys(state), fact(ProfileDeleted, { userId }));
  return facts;
}
