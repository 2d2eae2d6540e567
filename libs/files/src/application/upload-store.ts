import type { FileKind } from '@annals/kernel';
import { FileStore, Kernel, ReferencedFiles } from '@annals/kernel';
import { Injectable } from '@nestjs/common';

/** The bytes of uploaded files, under the keys that `FileUploaded` names. */
export const UPLOADS: FileKind = {
  name: 'uploads',
  storeKey: (realmId, key) => `uploads/${realmId}/${key}`,
  named: 'EXISTS (SELECT FROM view.files AS f WHERE f.realm_id = u.realm_id AND f.key = u.key AND f.deleted IS NULL)',
};

@Injectable()
export class UploadStore extends ReferencedFiles {
  constructor(kernel: Kernel, store: FileStore) {
    super(kernel, store, UPLOADS);
  }
}
