import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { FileStore, Kernel, UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { ServerFeatures, limitsOf, smallerLimit } from '@annals/realm';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { contentTypeOf } from './content-type';
import { imageHeader } from './thumbnailer';
import type { Upload } from '../domain/file';
import { upload } from '../domain/file';
import type { FileName } from '../domain/file-name';
import type { ImageHeader } from '../domain/image';
import { isImageType } from '../domain/image';
import { fileName } from '../domain/file-name';
import { NOW } from '../read/file-uses';
import { uploadSpaceAt } from '../read/upload-space';
import { UPLOAD_SPACE, withinQuota } from './guards';
import { UPLOADS, UploadStore } from './upload-store';

/** An incoming file, as its sender describes it. */
export interface Incoming {
  readonly name: string;
  readonly contentType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The path of a file after the upload. */
export interface Uploaded {
  readonly key: string;
  readonly name: FileName;
}

/** Stores a file (contract/messages.md section 11). */
export class UploadFile extends Command<Uploaded> {
  constructor(
    readonly by: Actor,
    readonly file: Incoming,
  ) {
    super();
  }
}

const RANDOM_BYTES = 18;
const MIB = 1024 * 1024;
/** Bytes that are read of an image to learn its size. */
const HEADER_BYTES = 256 * 1024;

@CommandHandler(UploadFile)
export class UploadFileHandler implements ICommandHandler<UploadFile> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly bytes: UploadStore,
    private readonly features: ServerFeatures,
    private readonly store: FileStore,
  ) {}

  async execute({ by, file }: UploadFile): Promise<Uploaded> {
    const { realmId, userId: ownerId } = by;
    const name = fileName(file.name);
    const contentType = contentTypeOf(file.contentType, name.shown);
    const key = `${randomBytes(1).toString('hex')}/${randomBytes(RANDOM_BYTES).toString('base64url')}`;
    const size = await this.bytes.keep(realmId, key, file.content);
    try {
      const image = isImageType(contentType) ? await this.headerOf(realmId, key, size) : undefined;
      await this.work.run(by, (work) => this.record(work, { key, ownerId, size, contentType, name, image }));
    } catch (error) {
      // Only a refusal makes certain that no event names the bytes. Otherwise the sweep finds out.
      if (error instanceof Rejected) await this.bytes.discard(realmId, key);
      throw error;
    }
    // The file exists. If this fails, the sweep settles the bytes.
    await this.bytes.settle(realmId, key).catch(() => undefined);
    return { key, name };
  }

  /** The size of an image, so that clients can leave room for it before it has thumbnails. */
  private async headerOf(realmId: RealmId, key: string, size: number): Promise<ImageHeader | undefined> {
    if (size === 0) return undefined;
    const range = { start: 0, end: Math.min(size, HEADER_BYTES) - 1 };
    const begin = await this.store.open(UPLOADS.storeKey(realmId, key), range);
    return begin ? ((await imageHeader(await buffer(begin))) ?? undefined) : undefined;
  }

  private async record(work: Work, input: Upload): Promise<void> {
    const quotaMib = smallerLimit(this.features.uploadQuotaMib, (await limitsOf(work)).storageMib);
    if (quotaMib === null) {
      work.open('file', upload(input, { quota: null, used: 0 }));
      return;
    }
    const [used = 0] = await uploadSpaceAt(this.kernel.database.pool, work.realmId, [NOW]);
    const quota = quotaMib * MIB;
    work.open('file', upload(input, { quota, used }));
    work.guard(withinQuota, quota - input.size);
    work.changesGuard(withinQuota, UPLOAD_SPACE);
  }
}
