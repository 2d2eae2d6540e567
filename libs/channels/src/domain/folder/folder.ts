import type { Actor, Aggregate } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { channelNameKey, oneLine } from '../channel/channel';
import type { FolderEvent } from './folder-events';
import { FolderArchived, FolderCreated, FolderDescribed, FolderRenamed, FoldersReordered } from './folder-events';
import type { FolderState } from '../policies';
import { reject } from '../rejections';

interface Folder {
  /** Null once it was erased. Then another folder may have the name. */
  readonly name: string | null;
  readonly description: string;
  readonly isArchived: boolean;
}

/** All folders of an organization. */
export type Folders = ReadonlyMap<number, Folder>;

/** Key and name of the one stream of an organization's channel folders. */
export const FOLDERS = 'channel-folders';

export const foldersAggregate: Aggregate<Folders, FolderEvent, typeof FOLDERS> = {
  stream: (key) => key,
  initial: new Map(),
  evolve(state, { type, data, sealed }) {
    switch (type) {
      case 'channels.FolderCreated': {
        const text = sealed === 'erased' ? { name: null, description: '' } : sealed;
        return new Map([...state, [data.folderId, { ...text, isArchived: false }]]);
      }
      case 'channels.FolderRenamed':
        return changed(state, data.folderId, { name: sealed === 'erased' ? null : sealed.name });
      case 'channels.FolderDescribed':
        return changed(state, data.folderId, { description: sealed === 'erased' ? '' : sealed.description });
      case 'channels.FolderArchived':
        return changed(state, data.folderId, { isArchived: data.isArchived });
      case 'channels.FoldersReordered':
        return state;
    }
  },
};

function changed(state: Folders, id: number, change: Partial<Folder>): Folders {
  const folder = state.get(id);
  return folder ? new Map([...state, [id, { ...folder, ...change }]]) : state;
}

/** The requested folder of a channel. @param id null for none */
export function folderState(folders: Folders, id: number | null): FolderState {
  if (id === null) return 'none';
  const folder = folders.get(id);
  if (!folder) return 'unknown';
  return folder.isArchived ? 'archived' : 'open';
}

/** contract/channels.md section 7 */
export function createFolder(
  folders: Folders,
  id: number,
  { name, description }: { readonly name: string; readonly description: string },
  actor: Pick<Actor, 'userId'>,
): FolderEvent[] {
  ensureFree(folders, id, name);
  const text = { name, description: oneLine(description) };
  return [fact(FolderCreated, { folderId: id, creatorId: actor.userId }, text)];
}

/** The requested changes. A property that is left out keeps its value. */
export interface FolderChange {
  readonly name?: string;
  readonly description?: string;
  readonly isArchived?: boolean;
}

/**
 * contract/channels.md section 7
 *
 * @param holdsChannels whether any channel is in the folder. The append must guard it
 */
export function changeFolder(folders: Folders, id: number, change: FolderChange, holdsChannels: boolean) {
  const folder = folders.get(id);
  if (!folder) throw reject.unknownFolder();
  const { name, description, isArchived = folder.isArchived } = change;
  const events: FolderEvent[] = [];
  if (name !== undefined && name !== folder.name) {
    if (!isArchived) ensureFree(folders, id, name);
    events.push(fact(FolderRenamed, { folderId: id }, { name }));
  }
  if (description !== undefined && oneLine(description) !== folder.description) {
    events.push(fact(FolderDescribed, { folderId: id }, { description: oneLine(description) }));
  }
  if (isArchived !== folder.isArchived) {
    if (isArchived && holdsChannels) throw reject.folderInUse();
    if (!isArchived) ensureFree(folders, id, name ?? folder.name ?? '');
    events.push(fact(FolderArchived, { folderId: id, isArchived }));
  }
  return events;
}

/** contract/channels.md section 7. Clients receive an event even when the order does not change. */
export function reorderFolders(folders: Folders, order: readonly number[]): FolderEvent[] {
  const isWhole = order.length === folders.size && new Set(order).size === order.length;
  if (!isWhole || !order.every((id) => folders.has(id))) throw reject.incompleteOrder();
  return order.length === 0 ? [] : [fact(FoldersReordered, { order: [...order] })];
}

/** Names are equal in any letter case, among folders that are not archived. */
function ensureFree(folders: Folders, id: number, name: string): void {
  for (const [other, folder] of folders) {
    if (other === id || folder.isArchived || folder.name === null) continue;
    if (channelNameKey(folder.name) === channelNameKey(name)) throw reject.folderNameTaken();
  }
}
