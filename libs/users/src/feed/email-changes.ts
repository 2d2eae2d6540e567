import { avatarFields } from '../read/profile/avatar';
import type { UserRow } from '../read/account/user-row';
import type { Viewer } from '../read/account/viewer';
import { emailFor, realEmail } from '../read/account/viewer';

/** An account as a viewer sees it at one moment. */
export interface Seen {
  readonly user: UserRow;
  readonly viewer: Viewer;
}

/**
 * The client events that bring the email of an account up to date for a viewer; none where it is the same
 * (contract/users.md section 6). A Gravatar picture changes with the email.
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
