import { UnitOfWork } from '@annals/kernel';
import type { Actor, FileId } from '@annals/kernel/domain';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { deleteFile } from '../domain/file';
import { endFile } from './end-file';
import { ThumbnailStore } from './thumbnail-store';
import { UploadStore } from './upload-store';

/** Deletes an uploaded file; texts that link to it do not change (contract/messages.md section 11). */
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
    readonly work: UnitOfWork,
    readonly bytes: UploadStore,
    readonly thumbnails: ThumbnailStore,
  ) {}

  execute({ by, fileId }: DeleteFile): Promise<void> {
    return endFile(this, by, fileId, (file, { actor }) => deleteFile(file, actor.userId));
  }
}
