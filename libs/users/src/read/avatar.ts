import type { RealmId } from '@annals/kernel/domain';
import { gravatarUrl } from '@annals/realm';
import type { UserRow } from './user-row';

/** Edges of the sizes in which own pictures are kept, in pixels. */
export const AVATAR_EDGES = { small: 100, medium: 500 } as const;
export type AvatarSize = keyof typeof AVATAR_EDGES;

/** The last part of the address of a picture; clients put `-medium` there by themselves. */
export const fileOf = (file: string, size: AvatarSize): string =>
  size === 'small' ? `${file}.png` : `${file}-medium.png`;

/** What `fileOf` makes. */
export const AVATAR_FILE = /^[0-9a-f]{32}(?:-medium)?\.png$/;

/** Where the bytes of a file are kept. */
export const avatarKey = (realmId: RealmId, name: string): string => `${realmId}/avatars/${name}`;

/** The picture of an account at some moment. */
export type AvatarOf = Pick<UserRow, 'realmId' | 'avatarFile' | 'avatarVersion' | 'deliveryEmail'>;

/** Address of an account's picture, never null; that of an own one is at the root of the server. */
export function avatarUrl(user: AvatarOf, size: AvatarSize = 'small'): string {
  const { realmId, avatarFile: file, avatarVersion: version } = user;
  if (file === null) return gravatarUrl(user.deliveryEmail, version, size);
  return `/user_avatars/${realmId}/${fileOf(file, size)}?version=${version}`;
}

/** The same, but null where the client makes the address of a gravatar picture itself. */
export const avatarUrlFor = (user: AvatarOf, clientGravatar: boolean): string | null =>
  clientGravatar && user.avatarFile === null ? null : avatarUrl(user);

/** Source and addresses of a picture (contract/boot.md section 4.2). */
export const avatarFields = (user: AvatarOf) => ({
  avatar_url: avatarUrl(user),
  avatar_url_medium: avatarUrl(user, 'medium'),
  avatar_source: user.avatarFile === null ? 'G' : 'U',
});
