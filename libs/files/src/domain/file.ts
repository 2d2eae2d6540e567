import type { FileId, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { FileEvent } from './events';
import { FileDeleted, FileUploaded, fileIdAt } from './events';
import type { FileName } from './file-name';
import { reject } from './rejections';

/** A file as rules need it. Null if it does not exist or was deleted. */
export interface StoredFile {
  readonly id: FileId;
  readonly ownerId: UserId;
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

export const fileAggregate = defineAggregate<StoredFile | null, FileEvent, FileId>('file', null, (_, event) => {
  switch (event.type) {
    case 'files.FileUploaded': {
      const { ownerId, key, size } = event.data;
      return { id: fileIdAt(event.position), ownerId, key, size };
    }
    case 'files.FileDeleted':
      return null;
  }
});

/** An upload whose bytes are stored. */
export interface Upload {
  readonly key: string;
  readonly ownerId: UserId;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  readonly name: FileName;
}

/**
 * @param space quota of the organization in bytes, null for no limit, and the used bytes
 * @throws Rejected REALM_UPLOAD_QUOTA
 */
export function upload({ name, ...data }: Upload, space: { readonly quota: number | null; readonly used: number }) {
  if (space.quota !== null && space.used + data.size > space.quota) throw reject.quotaExceeded();
  return fact(FileUploaded, data, { name: name.shown, addressName: name.inAddress });
}

const deleted = ({ id, ownerId, size }: StoredFile): FileDeleted => fact(FileDeleted, { fileId: id, ownerId, size });

/** Deletes a file that no user can access; no change if it is deleted. */
export const deleteOrphan = (file: StoredFile | null): FileDeleted[] => (file === null ? [] : [deleted(file)]);

/**
 * Only the uploader may delete a file; for all others it is not found.
 *
 * @throws Rejected BAD_REQUEST
 */
export function deleteFile(file: StoredFile | null, by: UserId): FileDeleted[] {
  if (file?.ownerId !== by) throw reject.unknownAttachment();
  return [deleted(file)];
}
