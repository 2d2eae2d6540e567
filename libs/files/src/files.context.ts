import { defineContext } from '@annals/kernel';
import { fileDescriptions } from './audit/file.audit';
import { withinQuota } from './application/guards';
import { THUMBNAILS } from './application/thumbnail-store';
import { UPLOADS } from './application/upload-store';
import { FileDeleted, FileUploaded, ImageRefused, ThumbnailsMade } from './domain/events';
import { filesFeed } from './feed/files.feed';
import { THUMBNAIL_QUEUE } from './jobs/thumbnail-jobs';
import { oldestAwaited } from './read/awaited-images';
import { filesView } from './read/files.view';
import { imagesView } from './read/images.view';
import { filesMigrations, forgetAttempts } from './schema';

/**
 * The client object of a file depends on the messages that link to it; the context of messages provides the presenter.
 */
export const filesContext = defineContext({
  name: 'files',
  events: [FileUploaded, FileDeleted, ThumbnailsMade, ImageRefused],
  guards: [withinQuota],
  descriptions: fileDescriptions,
  projections: [filesView, imagesView],
  feeds: [filesFeed],
  bytes: [UPLOADS, THUMBNAILS],
  migrations: filesMigrations,
  transient: ['image_attempts'],
  queues: [{ name: THUMBNAIL_QUEUE, oldestDue: oldestAwaited }],
  restored: forgetAttempts,
});
