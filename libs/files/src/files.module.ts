import { FileStore, Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { DeleteFileHandler } from './application/delete-file';
import { ImageAttempts } from './application/image-attempts';
import { MakeThumbnails } from './application/make-thumbnails';
import { ThumbnailStore } from './application/thumbnail-store';
import { UploadStore } from './application/upload-store';
import { UploadFileHandler } from './application/upload-file';
import { OrphanedFiles } from './jobs/orphaned-files';
import { ThumbnailWorker } from './jobs/thumbnail-worker';
import { UnsettledBytes } from './jobs/unsettled-bytes';
import { AwaitedImages } from './read/awaited-images';
import { FileAccess } from './read/file-access';
import { FileImageFacts } from './read/file-image-facts';
import { FileUses } from './read/file-uses';
import { GetFileHandler, GetLinkedFileHandler } from './read/get-file';
import { GetImageHandler } from './read/get-image';
import { ListAttachmentsHandler } from './read/list-attachments';
import { TemporaryLinks } from './read/temporary-links';

/** Uploaded files. Needs providers of `FileUses` and `FileStore`. */
@Module({
  providers: [
    FileAccess,
    UploadStore,
    ThumbnailStore,
    FileImageFacts,
    TemporaryLinks,
    UploadFileHandler,
    DeleteFileHandler,
    GetFileHandler,
    GetLinkedFileHandler,
    GetImageHandler,
    ListAttachmentsHandler,
  ],
  exports: [FileAccess, FileImageFacts, UploadStore, ThumbnailStore, TemporaryLinks],
})
export class FilesModule {}

/** How a worker makes thumbnails. */
class ThumbnailOptions {
  constructor(readonly isAutomatic: boolean) {}
}

/**
 * Makes thumbnails, and deletes bytes that no event names and files of erased users, in a worker. Needs a provider of
 * `FileUses`.
 */
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
      inject: [Kernel, UploadStore, ThumbnailStore, FileUses],
      useFactory: (kernel: Kernel, bytes: UploadStore, thumbnails: ThumbnailStore, uses: FileUses) =>
        new OrphanedFiles(kernel, { bytes, thumbnails }, uses),
    },
    AwaitedImages,
    ImageAttempts,
    MakeThumbnails,
    {
      provide: ThumbnailWorker,
      inject: [Kernel, AwaitedImages, MakeThumbnails],
      useFactory: (kernel: Kernel, awaited: AwaitedImages, thumbnails: MakeThumbnails) =>
        new ThumbnailWorker(kernel, awaited, thumbnails),
    },
  ],
})
export class FilesJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** @param isAutomatic false: thumbnails are made on request only */
  static makingThumbnails(isAutomatic: boolean): DynamicModule {
    const provider = { provide: ThumbnailOptions, useValue: new ThumbnailOptions(isAutomatic) };
    return { module: FilesJobsModule, providers: [provider] };
  }

  constructor(
    private readonly sweeper: UnsettledBytes,
    private readonly orphaned: OrphanedFiles,
    private readonly thumbnails: ThumbnailWorker,
    private readonly options: ThumbnailOptions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.sweeper.start();
    this.orphaned.start();
    if (this.options.isAutomatic) await this.thumbnails.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.thumbnails.stop();
    await this.orphaned.stop();
    await this.sweeper.stop();
  }
}
