import type { FactOf, FileId, Position } from '@annals/kernel/domain';
import { count, defineEvent, fileId, t, userId } from '@annals/kernel/domain';

/** Stream `file-{position}`: the position of this event is the file's id. Its bytes are stored under `key`. */
export const FileUploaded = defineEvent('files.FileUploaded', {
  data: t.Object({
    /** Two characters, a slash, and a part that cannot be guessed. */
    key: t.String(),
    ownerId: userId,
    /** Bytes. */
    size: count,
    contentType: t.String(),
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

export type FileEvent = FileUploaded | FileDeleted;

/** A file's id is the position of its first event. */
export const fileIdAt = (position: Position): FileId => position as number as FileId;
