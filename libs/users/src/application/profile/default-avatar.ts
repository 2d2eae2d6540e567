import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { generatedAvatar } from '../../read/profile/generated-avatar';

/**
 * The picture of an account without one of its own, as the organization wants it for new accounts.
 *
 * @returns the name of a generated picture, or null for that of the Gravatar service
 */
export async function defaultAvatar(work: Work, userId: UserId): Promise<string | null> {
  const { settings, uuid } = await organization(work);
  return settings.default_avatar_source === 'J' ? generatedAvatar(uuid, userId) : null;
}
