import type { EventDescription } from '@annals/kernel';
import { counted, describeEvent, thing, wordsOf } from '@annals/kernel';
import type { ImageFault } from '../domain/image';
import { FileDeleted, FileUploaded, ImageRefused, ThumbnailsMade } from '../domain/events';

const uploaded = describeEvent(FileUploaded, {
  meaning: 'A user uploaded a file. Its bytes are stored beside the log.',
  commands: ['UploadFile'],
  sentence: ({ position, data: { size } }) => ['uploaded ', thing.file(position), ` (${counted(size, 'byte')})`],
  names: (event) => [{ thing: thing.file(event.position), name: wordsOf(event, ({ name }) => name) }],
});

const deleted = describeEvent(FileDeleted, {
  meaning: 'A file was deleted, even if texts link to it.',
  commands: ['DeleteFile', 'OrphanedFiles'],
  sentence: ({ actorId, data: { fileId, ownerId } }) => [
    'deleted ',
    thing.file(fileId),
    ...(actorId === ownerId ? [] : [' of ', thing.user(ownerId)]),
  ],
});

const thumbnailed = describeEvent(ThumbnailsMade, {
  meaning: 'Thumbnails of an uploaded image were made. Their bytes are stored beside the log.',
  commands: ['MakeThumbnails'],
  sentence: ({ data: { fileId, width, height } }) => [
    'made thumbnails of ',
    thing.file(fileId),
    ` (${width} × ${height} pixels)`,
  ],
});

const FAULTS: Readonly<Record<ImageFault, string>> = {
  unreadable: 'cannot be decoded as an image',
  'too-large': 'is too large to be decoded',
  missing: 'has no bytes',
};

const refused = describeEvent(ImageRefused, {
  meaning: 'A file that was uploaded as an image gets no thumbnails.',
  commands: ['MakeThumbnails'],
  sentence: ({ data: { fileId, fault } }) => ['made no thumbnails of ', thing.file(fileId), `: it ${FAULTS[fault]}`],
});

export const fileDescriptions: readonly EventDescription[] = [uploaded, deleted, thumbnailed, refused];
