import type { Kernel, Queues } from '@annals/kernel';
import { QueuedSweep, pages } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import type { MakeThumbnails } from '../application/make-thumbnails';
import type { AwaitedImage } from '../read/file-images';
import { readAwaitedImages } from '../read/file-images';
import type { ThumbnailJob } from './thumbnail-jobs';
import { THUMBNAIL_QUEUE, thumbnailJob } from './thumbnail-jobs';

const SWEEP_MS = 60_000;
/** Age in ms at which an image has no job any more that would make its thumbnails. */
const PATIENCE_MS = 30_000;
/** Images in one query. */
const PAGE = 100;

/**
 * Makes thumbnails of uploaded images, one image at a time: on a job, at its start and every minute. Several workers may
 * do so at once.
 */
export class ThumbnailWorker extends QueuedSweep {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly kernel: Pick<Kernel, 'clock' | 'database' | 'options' | 'queues' | 'fence'>,
    private readonly thumbnails: Pick<MakeThumbnails, 'of'>,
  ) {
    super(SWEEP_MS, kernel, 'images without thumbnails could not be looked for; trying again in a minute');
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.last;
  }

  protected override workOn(queues: Queues): void {
    queues.work(THUMBNAIL_QUEUE, ({ data }) => this.make(thumbnailJob(data)));
  }

  protected override everywhere(): Promise<void> {
    return this.catchUp(this.now(-PATIENCE_MS));
  }

  /** Makes the thumbnails of all images that were uploaded up to now, jobs or not. */
  async makeAll(): Promise<void> {
    await this.catchUp(this.now(1));
  }

  private now(difference: number): Instant {
    return (this.kernel.clock.now() + difference) as Instant;
  }

  /** An image that cannot be processed now is tried again with the next sweep. */
  private async catchUp(before: Instant): Promise<void> {
    const { pool } = this.kernel.database;
    const awaited = pages<AwaitedImage>(PAGE, (after) => readAwaitedImages(pool, before, after, PAGE));
    for await (const page of awaited) {
      for (const { realmId, fileId } of page) {
        if (this.isStopping) return;
        await this.make({ realmId, fileId }).catch((err: unknown) => {
          this.kernel.options.log.warn({ err, realm: realmId, file: fileId }, 'an image got no thumbnails yet');
        });
      }
    }
  }

  /** The job and the sweep take turns: one image at a time is decoded. */
  private make({ realmId, fileId }: ThumbnailJob): Promise<void> {
    const turn = this.last.then(async () => {
      if (this.isStopping) return;
      await this.kernel.fence.reach(realmId);
      await this.thumbnails.of(realmId, fileId);
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
