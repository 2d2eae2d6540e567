import type { Kernel, Queues } from '@annals/kernel';
import { RealmSweep } from '@annals/kernel';
import type { FileId, RealmId } from '@annals/kernel/domain';
import type { MakeThumbnails } from '../application/make-thumbnails';
import type { AwaitedImage, AwaitedImages } from '../read/awaited-images';
import { REALMS_AWAITING_THUMBNAILS } from '../read/awaited-images';
import { THUMBNAIL_QUEUE } from './thumbnail-jobs';

const SWEEP_MS = 60_000;
/** Images that one process decodes at a time: each may need a quarter of a gigabyte. */
const AT_ONCE = 1;
const WARNING = 'images without thumbnails could not be looked for; trying again in a minute';

/**
 * Makes thumbnails of uploaded images: on a job, at its start and every minute. One image is a page of a pass, so
 * organizations take turns image by image. Several workers may do so at once.
 */
export class ThumbnailWorker extends RealmSweep {
  protected override readonly search = REALMS_AWAITING_THUMBNAILS;

  constructor(
    private readonly kernel: Pick<Kernel, 'due' | 'options' | 'queues' | 'fence'>,
    private readonly awaited: Pick<AwaitedImages, 'next'>,
    private readonly thumbnails: Pick<MakeThumbnails, 'of'>,
  ) {
    super(SWEEP_MS, kernel, WARNING, AT_ONCE);
  }

  protected override workOn(queues: Queues): void {
    // Jobs of an earlier release name the organization beside the image.
    queues.work(THUMBNAIL_QUEUE, async ({ data }) => this.launch((data['key'] ?? data['realmId']) as RealmId));
  }

  protected override async pass(realmId: RealmId): Promise<void> {
    let after: FileId | null = null;
    const next = async (): Promise<boolean> => {
      await this.kernel.fence.reach(realmId);
      const image = await this.awaited.next(realmId, after);
      if (!image) return false;
      after = image.fileId;
      await this.make(image);
      return true;
    };
    await this.eachPage(next);
  }

  /** An image that cannot be processed now is tried again by a later pass. */
  private async make(image: AwaitedImage): Promise<void> {
    const { realmId: realm, fileId: file } = image;
    await this.isolated({ realm, file }, () => this.thumbnails.of(image), 'an image got no thumbnails yet');
  }
}
