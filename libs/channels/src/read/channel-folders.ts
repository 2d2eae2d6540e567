import type { Actor, Instant, RealmId, UserId } from '@annals/kernel/domain';
import { isGuest, unixSeconds } from '@annals/kernel/domain';
import { Kernel } from '@annals/kernel';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ClientBase, Pool } from 'pg';
import { listChannels } from './channel/list-channels';
import { descriptionHtml } from './channel/present-channel';

/** A channel folder in the read model. */
export interface FolderRow {
  readonly id: number;
  readonly name: string;
  /** Markdown, on one line. */
  readonly description: string;
  readonly order: number;
  readonly isArchived: boolean;
  readonly creatorId: UserId | null;
  readonly createdAt: Instant;
}

/** All folders of an organization in their order. */
export async function readFolders(client: Pool | ClientBase, realmId: RealmId): Promise<FolderRow[]> {
  const { rows } = await client.query<FolderRow>({
    name: 'channels-folders',
    text: `SELECT folder_id AS id, name, description, sort_order AS order, is_archived AS "isArchived",
        creator_id AS "creatorId", created_at AS "createdAt"
      FROM view.channel_folders WHERE realm_id = $1 ORDER BY sort_order, folder_id`,
    values: [realmId],
  });
  return rows;
}

/** Whether any channel is in the folder, also an archived one. */
export async function readFolderUse(client: Pool | ClientBase, realmId: RealmId, folder: number): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>({
    name: 'channels-folder-use',
    text: 'SELECT EXISTS (SELECT FROM view.channels WHERE realm_id = $1 AND folder_id = $2::int8) AS used',
    values: [realmId, folder],
  });
  return rows[0]?.used ?? false;
}

/** The folder object (contract/channels.md section 7). */
export const presentFolder = (folder: FolderRow) => ({
  id: folder.id,
  name: folder.name,
  description: folder.description,
  rendered_description: descriptionHtml(folder.description),
  order: folder.order,
  date_created: unixSeconds(folder.createdAt),
  creator_id: folder.creatorId,
  is_archived: folder.isArchived,
});

/**
 * The folders that a user may see. Guests see those with channels that they can see (contract/channels.md section 7).
 */
export class ListFolders extends Query<readonly FolderRow[]> {
  constructor(
    readonly by: Actor,
    readonly includeArchived: boolean,
  ) {
    super();
  }
}

@QueryHandler(ListFolders)
export class ListFoldersHandler implements IQueryHandler<ListFolders> {
  constructor(private readonly kernel: Kernel) {}

  async execute({ by, includeArchived }: ListFolders): Promise<FolderRow[]> {
    const { pool } = this.kernel.database;
    const all = await readFolders(pool, by.realmId);
    const folders = includeArchived ? all : all.filter(({ isArchived }) => !isArchived);
    if (!isGuest(by) || folders.length === 0) return folders;
    const used = new Set((await listChannels(pool, by, ['visible'])).map(({ folderId }) => folderId));
    return folders.filter(({ id }) => used.has(id));
  }
}
