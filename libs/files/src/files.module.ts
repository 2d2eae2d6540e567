import { FileStore, Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { DeleteFileHandler } from './application/delete-file';
import { UploadStore } from './application/upload-store';
import { UploadFileHandler } from './application/upload-file';
import { OrphanedFiles } from './jobs/orphaned-files';
import { UnsettledBytes } from './jobs/unsettled-bytes';
import { FileAccess } from './read/file-access';
import { FileUses } from './read/file-uses';
import { GetFileHandler, GetLinkedFileHandler } from './read/get-file';
import { ListAttachmentsHandler } from './read/list-attachments';
import { TemporaryLinks } from './read/temporary-links';

/** Uploaded files. Needs providers of `FileUses` and `FileStore`. */
@Module({
  providers: [
    FileAccess,
    UploadStore,
    TemporaryLinks,
    UploadFileHandler,
    DeleteFileHandler,
    GetFileHandler,
    GetLinkedFileHandler,
    ListAttachmentsHandler,
  ],
  exports: [FileAccess, UploadStore, TemporaryLinks],
})
export class FilesModule {}

/** Deletes bytes that no event names and files of erased users, in a worker. Needs a provider of `FileUses`. */
@Module({
  imports: [FilesModule],
  providers: [
    {
      provide: UnsettledBytes,
      inject: [Kernel, FileStore],
      useFactory: (kernel: Kernel, store: FileStore) => UnsettledBytes.of(kernel, store),
    },
    {
      provide: OrphanedFiles,
      inject: [Kernel, UploadStore, FileUses],
      useFactory: (kernel: Kernel, bytes: UploadStore, uses: FileUses) => new OrphanedFiles(kernel, bytes, uses),
    },
  ],
})
export class FilesJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly sweeper: UnsettledBytes,
    private readonly orphaned: OrphanedFiles,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeper.start();
    this.orphaned.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.orphaned.stop();
    await this.sweeper.stop();
  }
}
