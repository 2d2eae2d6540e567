import type { Actor } from '@annals/kernel/domain';
import { ensure, fact } from '@annals/kernel/domain';
import type { Account } from '../account/account';
import { known } from '../account/account';
import { AvatarChanged } from '../events';
import { mayChangeAvatar } from '../policies';

/**
 * Changes the picture of an account (contract/users.md section 6).
 *
 * @param file name of its files. Without an own picture, that of a generated one, or null for the Gravatar picture
 * @throws Rejected if only administrators may change it
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

const GENERATED = /^0{16}/;

/** Whether the server draws the picture that has this name. The names of own pictures are random. */
export const isGenerated = (file: string): boolean => GENERATED.test(file);

/** Gives an account another picture. No change if it has this one. */
export function avatarChanged({ userId, avatar }: Account, file: string | null): AvatarChanged[] {
  return avatar.file === file ? [] : [fact(AvatarChanged, { userId, file, version: avatar.version + 1 })];
}
