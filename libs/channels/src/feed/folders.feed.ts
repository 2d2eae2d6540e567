import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent } from '@annals/kernel/domain';
import {
  FolderArchived,
  FolderCreated,
  FolderDescribed,
  FolderRenamed,
  FoldersReordered,
} from '../domain/folder/folder-events';
import type { FolderRow } from '../read/channel-folders';
import { presentFolder, readFolders } from '../read/channel-folders';

/** The payload of `channel_folder` events. Texts are read at delivery. */
type FolderPayload =
  | { readonly op: 'add'; readonly folderId: number }
  | { readonly op: 'update'; readonly folderId: number; readonly aspect: 'name' | 'description' | 'is_archived' }
  | { readonly op: 'reorder'; readonly order: readonly number[] };

const folderEvent = (payload: FolderPayload): ClientEvent[] => [
  { type: 'channel_folder', audience: { kind: 'everyone' }, payload: { ...payload } },
];

/** contract/channels.md section 7 */
export const foldersFeed = defineFeed({
  name: 'channel-folders',
  translations: [
    translate(FolderCreated, ({ data: { folderId } }) => folderEvent({ op: 'add', folderId })),
    translate(FolderRenamed, ({ data: { folderId } }) => folderEvent({ op: 'update', folderId, aspect: 'name' })),
    translate(FolderDescribed, ({ data: { folderId } }) =>
      folderEvent({ op: 'update', folderId, aspect: 'description' }),
    ),
    translate(FolderArchived, ({ data: { folderId } }) =>
      folderEvent({ op: 'update', folderId, aspect: 'is_archived' }),
    ),
    translate(FoldersReordered, ({ data: { order } }) => folderEvent({ op: 'reorder', order })),
  ],
});

export const foldersPresenter = definePresenter<ReadonlyMap<number, FolderRow>>({
  type: 'channel_folder',
  load: async ({ client, realmId }) =>
    new Map((await readFolders(client, realmId)).map((folder) => [folder.id, folder])),
  present: ({ payload }, folders) => {
    const event = payload as unknown as FolderPayload;
    if (event.op === 'reorder') return [{ type: 'channel_folder', op: 'reorder', order: event.order }];
    const row = folders.get(event.folderId);
    if (!row) throw new Error(`channel folder ${event.folderId} does not exist`);
    const folder = presentFolder(row);
    if (event.op === 'add') return [{ type: 'channel_folder', op: 'add', channel_folder: folder }];
    const { name, description, rendered_description, is_archived } = folder;
    const data = { name: { name }, description: { description, rendered_description }, is_archived: { is_archived } };
    return [{ type: 'channel_folder', op: 'update', channel_folder_id: row.id, data: data[event.aspect] }];
  },
  variant: () => 'all',
});
