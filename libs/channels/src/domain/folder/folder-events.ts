import type { FactOf } from '@annals/kernel/domain';
import { aboutRealm, defineEvent, nullable, t, userId } from '@annals/kernel/domain';
import { folderId } from '../events';

const ofFolder = ({ folderId: folder }: { readonly folderId: number }) => [['channel-folder', folder]] as const;

/**
 * Stream `channel-folders`, like all of these: folders are few, and there are rules about their names and order
 * together.
 */
export const FolderCreated = defineEvent('channels.FolderCreated', {
  data: t.Object({ folderId, creatorId: nullable(userId) }),
  sealed: t.Object({ name: t.String(), description: t.String() }),
  subjects: ofFolder,
});
export type FolderCreated = FactOf<typeof FolderCreated>;

export const FolderRenamed = defineEvent('channels.FolderRenamed', {
  data: t.Object({ folderId }),
  sealed: t.Object({ name: t.String() }),
  subjects: ofFolder,
});
export type FolderRenamed = FactOf<typeof FolderRenamed>;

export const FolderDescribed = defineEvent('channels.FolderDescribed', {
  data: t.Object({ folderId }),
  sealed: t.Object({ description: t.String() }),
  subjects: ofFolder,
});
export type FolderDescribed = FactOf<typeof FolderDescribed>;

/** Folders can be archived and unarchived. */
export const FolderArchived = defineEvent('channels.FolderArchived', {
  data: t.Object({ folderId, isArchived: t.Boolean() }),
  subjects: ofFolder,
});
export type FolderArchived = FactOf<typeof FolderArchived>;

/** All folders in a new order, also archived ones. */
export const FoldersReordered = defineEvent('channels.FoldersReordered', {
  data: t.Object({ order: t.Array(folderId) }),
  subjects: aboutRealm,
});
export type FoldersReordered = FactOf<typeof FoldersReordered>;

export type FolderEvent = FolderCreated | FolderRenamed | FolderDescribed | FolderArchived | FoldersReordered;

/** Definitions of `FolderEvent`. */
export const FOLDER_EVENTS = [FolderCreated, FolderRenamed, FolderDescribed, FolderArchived, FoldersReordered] as const;
