import type { FileId, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { FileEvent } from './events';
import { FileDeleted, FileUploaded, ImageRefused, ThumbnailsMade, fileIdAt } from './events';
import type { FileName } from './file-name';
import type { DecodedImage, ImageFault, ImageHeader } from './image';
import { isImageType } from './image';
import { reject } from './rejections';

/** A file as rules need it. Null if it does not exist or was deleted. */
export interface StoredFile {
  readonly id: FileId;
  readonly ownerId: UserId;
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Whether it was uploaded as an image of which nobody has made thumbnails yet. */
  readonly isAwaitingThumbnails: boolean;
  /** Null for a file without them. */
  readonly thumbnails: Thumbnails | null;
}

/** Where the thumbnails of a file are. */
export type Thumbnails = Pick<ThumbnailsMade['data'], 'made' | 'formats'>;

export const fileAggregate = defineAggregate<StoredFile | null, FileEvent, FileId>('file', null, (state, event) => {
  switch (event.type) {
    case 'files.FileUploaded': {
      const { ownerId, key, size, contentType } = event.data;
      const isAwaitingThumbnails = isImageType(contentType);
      return { id: fileIdAt(event.position), ownerId, key, size, isAwaitingThumbnails, thumbnails: null };
    }
    case 'files.ThumbnailsMade': {
      const { made, formats } = event.data;
      return state && { ...state, isAwaitingThumbnails: false, thumbnails: { made, formats } };
    }
    case 'files.ImageRefused':
      return state && { ...state, isAwaitingThumbnails: false };
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
  /** Undefined for a file that is no image, or one whose first bytes do not say what it is. */
  readonly image?: ImageHeader | undefined;
}

/**
 * @param space quota of the organization in bytes, null for no limit, and the used bytes
 * @throws Rejected REALM_UPLOAD_QUOTA
 */
export function upload(
  { name, image, ...data }: Upload,
  space: { readonly quota: number | null; readonly used: number },
) {
  if (space.quota !== null && space.used + data.size > space.quota) throw reject.quotaExceeded();
  return fact(FileUploaded, { ...data, ...(image && { image }) }, { name: name.shown, addressName: name.inAddress });
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

/**
 * Records thumbnails whose bytes are stored.
 *
 * @throws Rejected when somebody else was faster, or the file was deleted meanwhile
 */
export function noteThumbnails(
  file: StoredFile | null,
  { contentType, width, height, isAnimated }: DecodedImage,
  { made, formats }: Thumbnails,
): ThumbnailsMade[] {
  if (!file?.isAwaitingThumbnails) throw reject.noThumbnailsAwaited();
  const { id: fileId } = file;
  return [fact(ThumbnailsMade, { fileId, contentType, width, height, isAnimated, made, formats })];
}

/** Records that an image gets no thumbnails; no change if somebody else was faster, or the file was deleted. */
export const refuseImage = (file: StoredFile | null, fault: ImageFault): ImageRefused[] =>
  file?.isAwaitingThumbnails ? [fact(ImageRefused, { fileId: file.id, fault })] : [];
