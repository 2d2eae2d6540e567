import type { CheckpointedReader, Job, Kernel } from '@annals/kernel';
import type { FileId, RealmId, Recorded } from '@annals/kernel/domain';
import type { FileUploaded } from '../domain/events';
import { fileIdAt } from '../domain/events';
import { isImageType } from '../domain/image';

/** The queue that wakes a worker when an image was uploaded. */
export const THUMBNAIL_QUEUE = 'thumbnails';

/** An image that has to get thumbnails. */
export interface ThumbnailJob {
  readonly realmId: RealmId;
  readonly fileId: FileId;
}

export const thumbnailJob = ({ realmId, fileId }: Job['data']): ThumbnailJob => ({
  realmId: realmId as RealmId,
  fileId: fileId as FileId,
});

/**
 * Reads the log and adds a job for each uploaded image. Nothing depends on it: images without a job are found by a sweep,
 * and a job for an image that awaits no thumbnails does nothing.
 */
export const thumbnailJobs = (kernel: Pick<Kernel, 'queues'>): CheckpointedReader => ({
  name: 'thumbnail-jobs',
  begins: 'head',
  concerns: isImage,
  handle: async (page) => {
    const images = page.filter(isImage);
    if (images.length === 0) return;
    const queues = await kernel.queues();
    for (const { realmId, position } of images) {
      const data = { realmId, fileId: fileIdAt(position) };
      // A store that does not answer must not delay the page for each image. The sweep finds the others.
      if (!(await queues.add(THUMBNAIL_QUEUE, `image-${realmId}-${position}`, data, { attempts: 1 }))) return;
    }
  },
});

const isImage = (event: Recorded): boolean =>
  event.type === 'files.FileUploaded' && isImageType((event as Recorded<FileUploaded>).data.contentType);
