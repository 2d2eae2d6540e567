import type { FactOf } from '@annals/kernel/domain';
import { aboutRealm, defineEvent, nullable, t } from '@annals/kernel/domain';

/** Pictures that an organization may have: an icon, and a wide logo for light and for dark pages. */
export const PICTURE_NAMES = ['icon', 'logo', 'night_logo'] as const;
export type PictureName = (typeof PICTURE_NAMES)[number];

/** Stream `pictures`: a picture of the organization was replaced or removed. */
export const RealmPictureChanged = defineEvent('realm.PictureChanged', {
  data: t.Object({
    picture: t.Unsafe<PictureName>(t.Union(PICTURE_NAMES.map((name) => t.Literal(name)))),
    /** The last part of its URL, and the key of its bytes. Null for the picture that every organization has. */
    file: nullable(t.String()),
  }),
  subjects: () => aboutRealm(),
});
export type RealmPictureChanged = FactOf<typeof RealmPictureChanged>;
