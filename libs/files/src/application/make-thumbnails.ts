import { buffer } from 'node:stream/consumers';
import { FileStore, Kernel, UnitOfWork, systemActor } from '@annals/kernel';
import type { FileId, RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { fileAggregate, noteThumbnails, refuseImage } from '../domain/file';
import type { ImageFault } from '../domain/image';
import type { AwaitedImage } from '../read/file-images';
import { readAwaitedImage } from '../read/file-images';
import { ImageAttempts } from './image-attempts';
import { ThumbnailStore, newlyMade, thumbnailKey } from './thumbnail-store';
import type { DecodedThumbnails } from './thumbnailer';
import { UnfitImage, thumbnailsOf } from './thumbnailer';
import { UPLOADS } from './upload-store';

/** A file with more bytes is not decoded. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Makes the thumbnails of one uploaded image. What the log says decides whether there is anything to do, so this may be
 * repeated and interrupted at any moment, and the result is recorded once.
 */
@Injectable()
export class MakeThumbnails {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly store: FileStore,
    private readonly thumbnails: ThumbnailStore,
    private readonly attempts: ImageAttempts,
  ) {}

  async of(realmId: RealmId, fileId: FileId): Promise<void> {
    const image = await readAwaitedImage(this.kernel.database.pool, realmId, fileId);
    if (!image) return;
    const decoded = await this.decoded(image);
    if (typeof decoded === 'string') return this.refuse(image, decoded);
    const made = newlyMade();
    const named = [...decoded.thumbnails].map(([name, bytes]) => [thumbnailKey(image.key, made, name), bytes] as const);
    const formats = [...decoded.thumbnails.keys()];
    try {
      await this.thumbnails.keptFor(realmId, new Map(named), () =>
        this.work.run(systemActor(realmId), (work) =>
          work.decide(fileAggregate, fileId, (file) => noteThumbnails(file, decoded, { made, formats })),
        ),
      );
    } catch (error) {
      // Another worker was faster, or the file was deleted meanwhile.
      if (!(error instanceof Rejected)) throw error;
    }
  }

  private async decoded(image: AwaitedImage): Promise<DecodedThumbnails | ImageFault> {
    if (image.size > MAX_BYTES) return 'too-large';
    const content = await this.store.open(UPLOADS.storeKey(image.realmId, image.key));
    if (!content) return 'missing';
    const bytes = await buffer(content);
    try {
      return (await this.attempts.begin(image)) ? await thumbnailsOf(bytes) : 'unreadable';
    } catch (error) {
      if (error instanceof UnfitImage) return error.fault;
      throw error;
    } finally {
      await this.attempts.end(image);
    }
  }

  private async refuse({ realmId, fileId }: AwaitedImage, fault: ImageFault): Promise<void> {
    await this.work.run(systemActor(realmId), (work) =>
      work.decide(fileAggregate, fileId, (file) => refuseImage(file, fault)),
    );
  }
}
