import { defineContext } from '@annals/kernel';
import { fileDescriptions } from './audit/file.audit';
import { withinQuota } from './application/guards';
import { UPLOADS } from './application/upload-store';
import { FileDeleted, FileUploaded } from './domain/events';
import { filesFeed } from './feed/files.feed';
import { filesView } from './read/files.view';

/**
 * The client object of a file depends on the messages that link to it; the context of messages provides the presenter.
 */
export const filesContext = defineContext({
  name: 'files',
  events: [FileUploaded, FileDeleted],
  guards: [withinQuota],
  descriptions: fileDescriptions,
  projections: [filesView],
  feeds: [filesFeed],
  bytes: [UPLOADS],
});
