import { FileStore, Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { DeleteFileHandler } from './application/delete-file';
import { KeptUploads } from './application/kept-uploads';
import { UploadFileHandler } from './application/upload-file';
import { Downloads } from './http/downloads';
import { DownloadsController } from './http/downloads.controller';
import { UploadsController } from './http/uploads.controller';
import { FileSweeper } from './jobs/sweeper';
import { FileAccess } from './read/file-access';
import { GetFileHandler, GetLinkedFileHandler } from './read/get-file';
import { ListAttachmentsHandler } from './read/list-attachments';
import { TemporaryLinks } from './read/temporary-links';

/** Uploaded files. Needs providers of `FileUses` and `FileStore`. */
@Module({
  providers: [
    FileAccess,
    KeptUploads,
    TemporaryLinks,
    UploadFileHandler,
    DeleteFileHandler,
    GetFileHandler,
    GetLinkedFileHandler,
    ListAttachmentsHandler,
  ],
  exports: [FileAccess, TemporaryLinks],
})
export class FilesModule {}

@Module({ imports: [FilesModule], providers: [Downloads], controllers: [UploadsController, DownloadsController] })
export class FilesHttpModule {}

/** Letting go of bytes of any kind that nothing names, in a worker. */
@Module({
  providers: [
    {
      provide: FileSweeper,
      inject: [Kernel, FileStore],
      useFactory: (kernel: Kernel, store: FileStore) => FileSweeper.of(kernel, store),
    },
  ],
})
export class FilesJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly sweeper: FileSweeper) {}

  onApplicationBootstrap(): void {
    this.sweeper.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweeper.stop();
  }
}
