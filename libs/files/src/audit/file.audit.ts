import type { EventDescription } from '@annals/kernel';
import { counted, describeEvent, thing, wordsOf } from '@annals/kernel';
import { FileDeleted, FileUploaded } from '../domain/events';

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

export const fileDescriptions: readonly EventDescription[] = [uploaded, deleted];
