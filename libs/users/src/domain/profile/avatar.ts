import type { Actor } from '@annals/kernel/domain';
import { ensure, fact } from '@annals/kernel/domain';
import type { Account } from '../account/account';
import { known } from '../account/account';
import { AvatarChanged } from '../events';
import { mayChangeAvatar } from '../policies';

/**
 * Somebody shows another picture of themselves (contract/users.md section 6).
 *
 * @param file what its files are called; null for that of the gravatar service
 * @throws Rejected where the organization keeps that to its administrators
 */
export function changeOwnAvatar(
  state: Account | null,
  file: string | null,
  actor: Pick<Actor, 'role'>,
  rules: { readonly avatarChangesDisabled: boolean },
): AvatarChanged[] {
  ensure(mayChangeAvatar(actor, rules.avatarChangesDisabled));
  return avatarChanged(known(state), file);
}

/** An account without a picture of its own stays as it is when that is to go. */
export function avatarChanged({ userId, avatar }: Account, file: string | null): AvatarChanged[] {
  return avatar.file === file ? [] : [fact(AvatarChanged, { userId, file, version: avatar.version + 1 })];
}
