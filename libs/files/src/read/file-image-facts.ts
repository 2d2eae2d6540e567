import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { FileId, RealmId, Recorded } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { FileDeleted, ImageRefused, ThumbnailsMade } from '../domain/events';
import { fileIdAt } from '../domain/events';
import type { FileImage } from './file-images';
import { readFileImages } from './file-images';

/** Uploaded images, cached in the process; exact for readers that have passed the fence. */
@Injectable()
export class FileImageFacts {
  private readonly images: FactCache<FileImage>;

  constructor(kernel: Kernel) {
    this.images = kernel.facts<FileImage>({
      touched,
      load: async (realmId, keys) => {
        const images = await readFileImages(kernel.database.pool, realmId, keys.map(Number) as FileId[]);
        return new Map([...images].map(([id, image]) => [String(id), image]));
      },
    });
  }

  /** Files that are no images are left out. */
  byIds(realmId: RealmId, ids: readonly FileId[]): Promise<Map<FileId, FileImage>> {
    return this.images.getMany(realmId, ids);
  }
}

function touched(event: Recorded): readonly FileId[] {
  switch (event.type) {
    case 'files.FileUploaded':
      return [fileIdAt(event.position)];
    case 'files.ThumbnailsMade':
    case 'files.ImageRefused':
    case 'files.FileDeleted':
      return [(event as Recorded<ThumbnailsMade | ImageRefused | FileDeleted>).data.fileId];
    default:
      return [];
  }
}
