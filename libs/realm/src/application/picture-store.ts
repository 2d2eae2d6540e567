import type { FileKind } from '@annals/kernel';
import { FileStore, Kernel, ReferencedFiles } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import { pictureKey } from '../read/pictures/pictures';

/** Icons and logos of organizations, under the file names of `RealmPictureChanged`. */
export const REALM_PICTURES: FileKind = {
  name: 'realm-pictures',
  storeKey: pictureKey,
  named: 'EXISTS (SELECT FROM view.realm_pictures AS p WHERE p.realm_id = u.realm_id AND p.file = u.key)',
};

@Injectable()
export class PictureStore extends ReferencedFiles {
  constructor(kernel: Kernel, store: FileStore) {
    super(kernel, store, REALM_PICTURES);
  }
}
