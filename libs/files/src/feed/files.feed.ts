import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, FileId, UserId } from '@annals/kernel/domain';
import { FileDeleted, FileUploaded, fileIdAt } from '../domain/events';

/** The payload of `attachment` events before delivery. */
export interface AttachmentPayload {
  readonly op: 'add' | 'update' | 'remove';
  readonly fileId: FileId;
}

/** Client events of files for their uploaders (contract/messages.md section 11). */
export function attachmentEvent(op: AttachmentPayload['op'], fileId: FileId, ownerId: UserId): ClientEvent {
  const payload: AttachmentPayload = { op, fileId };
  return { type: 'attachment', audience: { kind: 'users', users: [ownerId] }, payload: { ...payload } };
}

export const filesFeed = defineFeed({
  name: 'files',
  translations: [
    translate(FileUploaded, ({ data, position }) => [attachmentEvent('add', fileIdAt(position), data.ownerId)]),
    translate(FileDeleted, ({ data }) => [attachmentEvent('remove', data.fileId, data.ownerId)]),
  ],
});
