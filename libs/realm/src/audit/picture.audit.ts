import type { EventDescription } from '@annals/kernel';
import { describeEvent } from '@annals/kernel';
import type { PictureName } from '../domain/pictures/realm-picture-events';
import { sourceOf } from '../domain/pictures/realm-picture';
import { RealmPictureChanged } from '../domain/pictures/realm-picture-events';

const NAMES: Readonly<Record<PictureName, string>> = {
  icon: 'icon',
  logo: 'logo',
  night_logo: 'logo for dark pages',
};

const changed = describeEvent(RealmPictureChanged, {
  meaning: 'The icon or a logo of the organization was replaced or removed.',
  commands: ['ChangePicture'],
  sentence: ({ data: { picture, file } }) => [
    `${file === null ? 'removed' : 'changed'} the ${NAMES[picture]} of the organization`,
  ],
  changes: ({ data: { picture, file } }) => [{ property: `${picture}_source`, after: sourceOf(picture, file) }],
});

export const pictureDescriptions: readonly EventDescription[] = [changed];
