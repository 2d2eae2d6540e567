import { defineProjection, on } from '@annals/kernel';
import {
  FolderArchived,
  FolderCreated,
  FolderDescribed,
  FolderRenamed,
  FoldersReordered,
} from '../domain/folder/folder-events';

/** One row per channel folder (contract/channels.md section 7). */
export const foldersView = defineProjection({
  name: 'channel_folders',
  version: 1,
  lifecycle: 'inline',
  tables: {
    channel_folders: {
      columns: {
        folder_id: 'int4',
        name: 'text',
        description: 'text',
        sort_order: 'int4',
        is_archived: 'bool',
        creator_id: 'int4',
        /** Milliseconds. */
        created_at: 'int8',
      },
      key: ['folder_id'],
      sealed: ['name', 'description'],
    },
  },
  handlers: [
    on(FolderCreated, ({ data: { folderId, creatorId }, sealed, at }, rows) =>
      rows.insert('channel_folders', {
        folder_id: folderId,
        name: sealed === 'erased' ? erasedFolder(folderId) : sealed.name,
        description: sealed === 'erased' ? '' : sealed.description,
        sort_order: folderId,
        is_archived: false,
        creator_id: creatorId,
        created_at: at,
      }),
    ),
    on(FolderRenamed, ({ data: { folderId }, sealed }, rows) => {
      const name = sealed === 'erased' ? erasedFolder(folderId) : sealed.name;
      rows.update('channel_folders', { folder_id: folderId }, { name });
    }),
    on(FolderDescribed, ({ data: { folderId }, sealed }, rows) => {
      const description = sealed === 'erased' ? '' : sealed.description;
      rows.update('channel_folders', { folder_id: folderId }, { description });
    }),
    on(FolderArchived, ({ data: { folderId, isArchived } }, rows) =>
      rows.update('channel_folders', { folder_id: folderId }, { is_archived: isArchived }),
    ),
    on(FoldersReordered, ({ data: { order } }, rows) => {
      for (const [place, folder_id] of order.entries()) {
        rows.update('channel_folders', { folder_id }, { sort_order: place });
      }
    }),
  ],
});

const erasedFolder = (id: number): string => `folder ${id}`;
