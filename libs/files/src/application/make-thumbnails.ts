import { buffer } from 'node:stream/consumers';
import { FileStore, UnitOfWork, systemActor } from '@annals/kernel';
import { Rejected } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { fileAggregate, noteThumbnails, refuseImage } from '../domain/file';
import type { ImageFault } from '../domain/image';
import type { AwaitedImage } from '../read/awaited-images';
import { ImageAttempts } from './image-attempts';
import { ThumbnailStore, newlyMade, thumbnailKey } from './thumbnail-store';
import type { DecodedThumbnails } from './thumbnailer';
import { UnfitImage, thumbnailsOf } from './thumbnailer';
import { UPLOADS } from './upload-store';

/** A file with more bytes is not decoded. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Makes the thumbnails of one uploaded image. The stream of the file decides whether they are still awaited, so this may
 * be repeated and interrupted at any moment, and the result is recorded once.
 */
@Injectable()
export class MakeThumbnails {
  constructor(
    private readonly work: UnitOfWork,
    private readonly store: FileStore,
    private readonly thumbnails: ThumbnailStore,
    private readonly attempts: ImageAttempts,
  ) {}

  /** Does nothing while another process decodes the image. */
  async of(image: AwaitedImage): Promise<void> {
    const { realmId, fileId } = image;
    const decoded = await this.decoded(image);
    if (decoded === null) return;
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

  private async decoded(image: AwaitedImage): Promise<DecodedThumbnails | ImageFault | null> {
    if (image.size > MAX_BYTES) return 'too-large';
    const attempt = await this.attempts.begin(image);
    if (attempt === 'taken') return null;
    try {
      const decoded = attempt === 'fatal' ? 'unreadable' : await this.decode(image);
      await this.attempts.end(image);
      return decoded;
    } catch (error) {
      await this.attempts.fail(image);
      throw error;
    }
  }

  private async decode({ realmId, key }: AwaitedImage): Promise<DecodedThumbnails | ImageFault> {
    const content = await this.store.open(UPLOADS.storeKey(realmId, key));
    if (!content) return 'missing';
    const bytes = await buffer(content);
    try {
      return await thumbnailsOf(bytes);
    } catch (error) {
      if (error instanceof UnfitImage) return error.fault;
      throw error;
    }
  }

  private async refuse({ realmId, fileId }: AwaitedImage, fault: ImageFault): Promise<void> {
    await this.work.run(systemActor(realmId), (work) =>
      work.decide(fileAggregate, fileId, (file) => refuseImage(file, fault)),
    );
  }
}
