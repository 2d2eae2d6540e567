import type { RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { PictureName } from '../../domain/pictures/realm-picture-events';
import type { RealmPictures } from '../../domain/pictures/realm-picture';
import { sourceOf } from '../../domain/pictures/realm-picture';
import { gravatarUrl } from '../gravatar';

/** The files of an organization's pictures. */
export async function readPictures(client: Pool | ClientBase, realmId: RealmId): Promise<RealmPictures> {
  const { rows } = await client.query<{ picture: PictureName; file: string }>({
    name: 'realm-pictures',
    text: 'SELECT p.picture, p.file FROM view.realm_pictures AS p WHERE p.realm_id = $1',
    values: [realmId],
  });
  return Object.fromEntries(rows.map(({ picture, file }) => [picture, file]));
}

/** The last part of the URL of a picture. */
export const PICTURE_FILE = /^[0-9a-f]{32}\.png$/;

/** The key of the bytes of a picture. */
export const pictureKey = (realmId: RealmId, file: string): string => `${realmId}/realm/${file}`;

/** An organization, as the URLs of its pictures need it. */
export interface Pictured {
  readonly realmId: RealmId;
  readonly uuid: string;
}

/** URL of a picture, at the root of the server if it is the organization's own. It is served without a login. */
export const pictureUrl = ({ realmId, uuid }: Pictured, file: string | null): string =>
  file === null ? gravatarUrl(uuid, 1) : `/user_avatars/${realmId}/realm/${file}`;

/** URL and source of a picture (contract/boot.md section 5). */
export const pictureFields = (realm: Pictured, picture: PictureName, file: string | null) => ({
  [`${picture}_url`]: pictureUrl(realm, file),
  [`${picture}_source`]: sourceOf(picture, file),
});
