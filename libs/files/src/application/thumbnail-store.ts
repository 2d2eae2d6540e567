import { randomBytes } from 'node:crypto';
import type { FileKind } from '@annals/kernel';
import { FileStore, Kernel, ReferencedFiles } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import type { StoredFile, Thumbnails } from '../domain/file';

/** Length of the key of a file, which the keys of its thumbnails begin with. */
const FILE_KEY_LENGTH = 27;
const RANDOM_BYTES = 12;

/** The bytes of thumbnails, under the key of the file, what `ThumbnailsMade` calls `made`, and the name of the format. */
export const THUMBNAILS: FileKind = {
  name: 'thumbnails',
  storeKey: (realmId, key) => `thumbnails/${realmId}/${key}`,
  named: `EXISTS (SELECT FROM view.file_images AS i WHERE i.realm_id = u.realm_id AND i.key = left(u.key, ${FILE_KEY_LENGTH})
    AND i.made = split_part(u.key, '/', 3) AND split_part(u.key, '/', 4) = ANY(i.formats) AND NOT i.is_deleted)`,
};

/** The key of one thumbnail. */
export const thumbnailKey = (fileKey: string, made: string, format: string): string => `${fileKey}/${made}/${format}`;

/** The keys of all thumbnails of a file. */
export const thumbnailKeys = (fileKey: string, { made, formats }: Thumbnails): string[] =>
  formats.map((format) => thumbnailKey(fileKey, made, format));

/** A key for new thumbnails: those of an attempt that was interrupted stay where they are until a sweep deletes them. */
export const newlyMade = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

@Injectable()
export class ThumbnailStore extends ReferencedFiles {
  constructor(kernel: Kernel, store: FileStore) {
    super(kernel, store, THUMBNAILS);
  }

  /** Acts on each thumbnail of a file, if it has any. */
  async each(file: StoredFile, act: (key: string) => Promise<void>): Promise<void> {
    if (file.thumbnails) for (const key of thumbnailKeys(file.key, file.thumbnails)) await act(key);
  }
}
