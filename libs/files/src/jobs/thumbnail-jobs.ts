import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { OutboxWakeUps } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { FileUploaded } from '../domain/events';
import { isImageType } from '../domain/image';

/** The queue that wakes a worker when images were uploaded. */
export const THUMBNAIL_QUEUE = 'thumbnails';

/** Reads the log and wakes a worker for uploaded images. Nothing depends on it: a sweep finds images without a job. */
export function thumbnailJobs(kernel: Pick<Kernel, 'queues'>): CheckpointedReader {
  const wakeUps = new OutboxWakeUps(kernel, THUMBNAIL_QUEUE);
  return {
    name: 'thumbnail-jobs',
    begins: 'head',
    concerns: isImage,
    handle: async (page) => {
      for (const event of page) if (isImage(event)) wakeUps.note(event.realmId);
    },
    committed: wakeUps.committed,
  };
}

const isImage = (event: Recorded): boolean =>
  event.type === 'files.FileUploaded' && isImageType((event as Recorded<FileUploaded>).data.contentType);
