import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { FolderChange } from '../domain/folder/folder';
import { FOLDERS, changeFolder, createFolder, foldersAggregate, reorderFolders } from '../domain/folder/folder';
import { readFolderUse } from '../read/channel-folders';
import { folderEmpty } from './guards';

/** contract/channels.md section 7 */
export class CreateFolder extends Command<number> {
  constructor(
    readonly by: Actor,
    readonly text: { readonly name: string; readonly description: string },
  ) {
    super();
  }
}

@CommandHandler(CreateFolder)
export class CreateFolderHandler implements ICommandHandler<CreateFolder> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  execute({ by, text }: CreateFolder): Promise<number> {
    return this.work.run(by, async (work) => {
      const id = await this.kernel.ids.next(work.realmId, FOLDERS);
      await work.decide(foldersAggregate, FOLDERS, (folders) => createFolder(folders, id, text, work.actor));
      return id;
    });
  }
}

/** contract/channels.md section 7 */
export class ChangeFolder extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly folderId: number,
    readonly change: FolderChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeFolder)
export class ChangeFolderHandler implements ICommandHandler<ChangeFolder> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by, folderId, change }: ChangeFolder): Promise<void> {
    await this.work.run(by, async (work) => {
      const isUsed = await readFolderUse(this.kernel.database.pool, work.realmId, folderId);
      if (change.isArchived) work.guard(folderEmpty, folderId);
      await work.decide(foldersAggregate, FOLDERS, (folders) => changeFolder(folders, folderId, change, isUsed));
    });
  }
}

/** contract/channels.md section 7 */
export class ReorderFolders extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly order: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(ReorderFolders)
export class ReorderFoldersHandler implements ICommandHandler<ReorderFolders> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, order }: ReorderFolders): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(foldersAggregate, FOLDERS, (folders) => reorderFolders(folders, order));
    });
  }
}
