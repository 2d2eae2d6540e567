import type { RealmId } from '@annals/kernel/domain';
import { gravatarUrl } from '@annals/realm';
import { isGenerated } from '../../domain/profile/avatar';
import type { UserRow } from '../account/user-row';
import type { Viewer, WithEmail } from '../account/viewer';
import { emailFor, realEmail } from '../account/viewer';

/** Edges of the stored sizes of pictures, in pixels. */
export const AVATAR_EDGES = { small: 100, medium: 500 } as const;
export type AvatarSize = keyof typeof AVATAR_EDGES;

/** The last part of the URL of a picture. Clients add `-medium` by themselves. */
export const avatarFileOf = (file: string, size: AvatarSize): string =>
  size === 'small' ? `${file}.png` : `${file}-medium.png`;

/** A result of `avatarFileOf`: the name of the picture, and what a medium size adds. */
export const AVATAR_FILE = /^([0-9a-f]{32})(-medium)?\.png$/;

/** The key of the bytes of a file. */
export const avatarKey = (realmId: RealmId, name: string): string => `${realmId}/avatars/${name}`;

/** The picture of an account at some moment. */
export type AvatarOf = WithEmail & Pick<UserRow, 'realmId' | 'avatarFile' | 'avatarVersion'>;

/**
 * URL of an account's picture, never null. An uploaded or generated one is at the root of the server. The URL of the Gravatar
 * service is computed from the email that the viewer sees, because it would reveal a hidden one.
 */
export function avatarUrl(user: AvatarOf, viewer: Viewer, size: AvatarSize = 'small'): string {
  const { realmId, avatarFile: file, avatarVersion: version } = user;
  if (file === null) return gravatarUrl(emailFor(user, viewer), version, size);
  return `/user_avatars/${realmId}/${avatarFileOf(file, size)}?version=${version}`;
}

/** The same, but null if the client computes the URL of a Gravatar picture itself, which it can with the real email. */
export const avatarUrlFor = (user: AvatarOf, viewer: Viewer, clientGravatar: boolean): string | null =>
  clientGravatar && user.avatarFile === null && realEmail(user, viewer) !== null ? null : avatarUrl(user, viewer);

/** Source and URLs of a picture (contract/boot.md section 4.2). */
export const avatarFields = (user: AvatarOf, viewer: Viewer) => ({
  avatar_url: avatarUrl(user, viewer),
  avatar_url_medium: avatarUrl(user, viewer, 'medium'),
  avatar_source: sourceOf(user.avatarFile),
});

function sourceOf(file: string | null): 'G' | 'J' | 'U' {
  if (file === null) return 'G';
  return isGenerated(file) ? 'J' : 'U';
}
