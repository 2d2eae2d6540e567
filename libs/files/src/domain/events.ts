import type { FactOf, FileId, Position } from '@annals/kernel/domain';
import { count, defineEvent, fileId, t, userId } from '@annals/kernel/domain';
import { IMAGE_FAULTS } from './image';

/** Of an image: its type by its bytes, and its size in pixels, upright. */
const imageHeader = {
  contentType: t.String(),
  width: t.Integer({ minimum: 1 }),
  height: t.Integer({ minimum: 1 }),
};

/** Stream `file-{position}`: the position of this event is the file's id. Its bytes are stored under `key`. */
export const FileUploaded = defineEvent('files.FileUploaded', {
  data: t.Object({
    /** Two characters, a slash, and a part that cannot be guessed. */
    key: t.String(),
    ownerId: userId,
    /** Bytes. */
    size: count,
    contentType: t.String(),
    /** What the first bytes of an image say. Left out for other files, and before there were thumbnails. */
    image: t.Optional(t.Object(imageHeader)),
  }),
  sealed: t.Object({
    /** The name that people see. */
    name: t.String(),
    /** The last part of the file's URL. */
    addressName: t.String(),
  }),
  subjects: (data, position) => [
    ['file', position],
    ['user', data.ownerId],
    ['person', data.ownerId],
  ],
});
export type FileUploaded = FactOf<typeof FileUploaded>;

/** Stream `file-{id}`: the file is deleted, even if texts link to it. */
export const FileDeleted = defineEvent('files.FileDeleted', {
  data: t.Object({ fileId, ownerId: userId, size: count }),
  subjects: (data) => [
    ['file', data.fileId],
    ['user', data.ownerId],
  ],
  erases: (data) => [['stream', `file-${data.fileId}`]],
});
export type FileDeleted = FactOf<typeof FileDeleted>;

/** In the same stream: thumbnails of an image are stored. */
export const ThumbnailsMade = defineEvent('files.ThumbnailsMade', {
  data: t.Object({
    fileId,
    ...imageHeader,
    isAnimated: t.Boolean(),
    /** The last part of the key of their bytes, which cannot be guessed. */
    made: t.String(),
    /** Their names, the one first that is shown unless a client chooses. */
    formats: t.Array(t.String()),
  }),
  subjects: (data) => [['file', data.fileId]],
});
export type ThumbnailsMade = FactOf<typeof ThumbnailsMade>;

/** In the same stream: what was uploaded as an image is none, or is too large to be decoded. It has no thumbnails. */
export const ImageRefused = defineEvent('files.ImageRefused', {
  data: t.Object({ fileId, fault: t.Union(IMAGE_FAULTS.map((fault) => t.Literal(fault))) }),
  subjects: (data) => [['file', data.fileId]],
});
export type ImageRefused = FactOf<typeof ImageRefused>;

export type FileEvent = FileUploaded | FileDeleted | ThumbnailsMade | ImageRefused;

/** A file's id is the position of its first event. */
export const fileIdAt = (position: Position): FileId => position as number as FileId;
