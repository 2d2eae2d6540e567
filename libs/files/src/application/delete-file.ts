import { UnitOfWork } from '@annals/kernel';
import type { Actor, FileId } from '@annals/kernel/domain';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { deleteFile, fileAggregate } from '../domain/file';
import { KeptUploads } from './kept-uploads';

/** Takes back what somebody uploaded; texts that link to it stay as they are (contract/messages.md section 11). */
export class DeleteFile extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly fileId: FileId,
  ) {
    super();
  }
}

@CommandHandler(DeleteFile)
export class DeleteFileHandler implements ICommandHandler<DeleteFile> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly bytes: KeptUploads,
  ) {}

  async execute({ by, fileId }: DeleteFile): Promise<void> {
    const key = await this.work.run(by, async (work) => {
      const file = await work.read(fileAggregate, fileId);
      await work.decide(fileAggregate, fileId, (state) => deleteFile(state, work.actor.userId));
      if (file) await this.bytes.unsettle(work.realmId, file.key);
      return file?.key;
    });
    // The file is gone; where this fails, the sweep makes up for it.
    if (key !== undefined) await this.bytes.discard(by.realmId, key).catch(() => undefined);
  }
}
