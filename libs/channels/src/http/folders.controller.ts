import type { Actor } from '@annals/kernel/domain';
import { Rejected, nullable, t, userId } from '@annals/kernel/domain';
import { BooleanParam, By, Endpoint, IntegersParam, Params, PathId, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ChangeFolder, CreateFolder, ReorderFolders } from '../application/folders';
import type { FolderChange } from '../domain/folder/folder';
import { ListFolders, presentFolder } from '../read/channel-folders';
import { MAX_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from './new-channel.params';

class CreateFolderParams {
  @TextParam({ trim: true, min: 1, max: MAX_CHANNEL_NAME_LENGTH, printable: true }) name: string;
  @TextParam({ max: MAX_DESCRIPTION_LENGTH }) description: string;
}

class ChangeFolderParams {
  @PathId() folder_id: number;
  @TextParam({ optional: true, trim: true, min: 1, max: MAX_CHANNEL_NAME_LENGTH, printable: true }) name?: string;
  @TextParam({ optional: true, max: MAX_DESCRIPTION_LENGTH }) description?: string;
  @BooleanParam({ optional: true }) is_archived?: boolean;
}

class ListFoldersParams {
  @BooleanParam() include_archived = false;
}

class ReorderFoldersParams {
  @IntegersParam() order: readonly number[];
}

const folderShape = t.Object(
  {
    id: t.Integer(),
    name: t.String(),
    description: t.String({ description: 'Markdown.' }),
    rendered_description: t.String({ description: 'HTML.' }),
    order: t.Integer(),
    date_created: nullable(t.Integer({ description: 'UNIX seconds.' })),
    creator_id: nullable(userId),
    is_archived: t.Boolean(),
  },
  { $id: 'ChannelFolder' },
);

/** @throws Rejected BAD_REQUEST when the request has no change */
function toChange({ name, description, is_archived }: ChangeFolderParams): FolderChange {
  if (name === undefined && description === undefined && is_archived === undefined) {
    throw new Rejected('BAD_REQUEST', 'Nothing to change');
  }
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(is_archived !== undefined && { isArchived: is_archived }),
  };
}

@Controller()
export class FoldersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/channels.md section 7, like all of these */
  @Endpoint('POST', 'channel_folders/create', {
    audience: 'administrators',
    section: 'channels 7',
    summary: 'Create a channel folder',
    command: 'CreateFolder',
    returns: t.Object({ channel_folder_id: t.Integer() }),
  })
  async create(@By() by: Actor, @Params(CreateFolderParams) p: CreateFolderParams) {
    return { channel_folder_id: await this.commands.execute(new CreateFolder(by, p)) };
  }

  @Endpoint('GET', 'channel_folders', {
    audience: 'anyone',
    section: 'channels 7',
    summary: 'List channel folders',
    returns: t.Object({ channel_folders: t.Array(folderShape) }),
  })
  async list(@By() by: Actor, @Params(ListFoldersParams) p: ListFoldersParams) {
    const folders = await this.queries.execute(new ListFolders(by, p.include_archived));
    return { channel_folders: folders.map(presentFolder) };
  }

  @Endpoint('PATCH', 'channel_folders', {
    audience: 'administrators',
    section: 'channels 7',
    summary: 'Put all channel folders into another order',
    command: 'ReorderFolders',
    returns: null,
  })
  async reorder(@By() by: Actor, @Params(ReorderFoldersParams) { order }: ReorderFoldersParams): Promise<void> {
    await this.commands.execute(new ReorderFolders(by, order));
  }

  @Endpoint('PATCH', 'channel_folders/:folder_id', {
    audience: 'administrators',
    section: 'channels 7',
    summary: 'Rename, describe or archive a channel folder',
    command: 'ChangeFolder',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangeFolderParams) p: ChangeFolderParams): Promise<void> {
    await this.commands.execute(new ChangeFolder(by, p.folder_id, toChange(p)));
  }
}
