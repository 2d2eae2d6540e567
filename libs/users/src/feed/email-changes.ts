import { avatarFields } from '../read/profile/avatar';
import type { UserRow } from '../read/account/user-row';
import type { Viewer } from '../read/account/viewer';
import { emailFor, realEmail } from '../read/account/viewer';

/** An account as somebody sees it at one moment. */
export interface Seen {
  readonly user: UserRow;
  readonly viewer: Viewer;
}

/**
 * What a client must be told so that it shows an account's address as its owner may see it now; nothing where that is as
 * it was (contract/users.md section 6). The picture follows the address where it is made of it.
 */
export function emailChanges(before: Seen, after: Seen): Record<string, unknown>[] {
  const user_id = after.user.userId;
  const [real, email] = [realEmail(after.user, after.viewer), emailFor(after.user, after.viewer)];
  const picture = avatarFields(after.user, after.viewer);
  const formerPicture = avatarFields(before.user, before.viewer);
  return [
    ...(real === realEmail(before.user, before.viewer) ? [] : [{ user_id, delivery_email: real }]),
    ...(email === emailFor(before.user, before.viewer) ? [] : [{ user_id, new_email: email }]),
    ...(JSON.stringify(picture) === JSON.stringify(formerPicture)
      ? []
      : [{ user_id, ...picture, avatar_version: after.user.avatarVersion }]),
  ];
}
