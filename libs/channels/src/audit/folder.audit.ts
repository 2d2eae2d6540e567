import type { EventDescription } from '@annals/kernel';
import { describeEvent, quoted, thing, wordsOf } from '@annals/kernel';
import {
  FolderArchived,
  FolderCreated,
  FolderDescribed,
  FolderRenamed,
  FoldersReordered,
} from '../domain/folder/folder-events';

const { folder } = thing;

const created = describeEvent(FolderCreated, {
  meaning: 'A folder for channels was created.',
  commands: ['CreateFolder'],
  sentence: ({ data }) => ['created ', folder(data.folderId)],
  begins: (event) => {
    const of = event.data.folderId;
    return [
      { property: 'name', of, after: wordsOf(event, ({ name }) => name) },
      { property: 'description', of, after: wordsOf(event, ({ description }) => description) },
    ];
  },
  names: (event) => [{ thing: folder(event.data.folderId), name: wordsOf(event, ({ name }) => name) }],
});

const renamed = describeEvent(FolderRenamed, {
  meaning: 'A folder has another name.',
  commands: ['ChangeFolder'],
  sentence: ({ data: { folderId } }) => [
    'renamed ',
    folder(folderId, { before: true }),
    ' to ',
    folder(folderId, { bare: true }),
  ],
  changes: (event) => [{ property: 'name', of: event.data.folderId, after: wordsOf(event, ({ name }) => name) }],
  names: (event) => [{ thing: folder(event.data.folderId), name: wordsOf(event, ({ name }) => name) }],
});

const described = describeEvent(FolderDescribed, {
  meaning: 'A folder has another description.',
  commands: ['ChangeFolder'],
  sentence: (event) => {
    const description = wordsOf(event, (words) => words.description);
    return ['changed the description of ', folder(event.data.folderId), ' to ', quoted(description, 'another text')];
  },
  changes: (event) => {
    const after = wordsOf(event, ({ description }) => description);
    return [{ property: 'description', of: event.data.folderId, after, isWords: true }];
  },
});

const archived = describeEvent(FolderArchived, {
  meaning: 'A folder was archived or unarchived.',
  commands: ['ChangeFolder'],
  sentence: ({ data: { folderId, isArchived } }) => [isArchived ? 'archived ' : 'unarchived ', folder(folderId)],
  changes: ({ data: { folderId: of, isArchived } }) => [
    { property: 'is_archived', of, before: !isArchived, after: isArchived },
  ],
});

const reordered = describeEvent(FoldersReordered, {
  meaning: 'The folders have another order.',
  commands: ['ReorderFolders'],
  sentence: () => ['changed the order of the folders'],
  changes: ({ data }) => [{ property: 'order', after: data.order }],
});

export const folderDescriptions: readonly EventDescription[] = [created, renamed, described, archived, reordered];
