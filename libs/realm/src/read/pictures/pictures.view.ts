import { defineProjection, on } from '@annals/kernel';
import { RealmPictureChanged } from '../../domain/pictures/realm-picture-events';

/** The pictures of the organization's own, by their names. */
export const picturesView = defineProjection({
  name: 'realm_pictures',
  version: 1,
  lifecycle: 'inline',
  tables: {
    realm_pictures: {
      columns: {
        picture: 'text',
        file: 'text',
      },
      key: ['picture'],
    },
  },
  handlers: [
    on(RealmPictureChanged, ({ data: { picture, file } }, rows) => {
      if (file === null) rows.delete('realm_pictures', { picture });
      else rows.upsert('realm_pictures', { picture, file });
    }),
  ],
});
