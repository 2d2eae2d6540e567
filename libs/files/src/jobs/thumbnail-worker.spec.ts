import type { FileId, RealmId } from '@annals/kernel/domain';
import type { Kernel, Queues } from '@annals/kernel';
import { CallRecorder } from '../../../../test/support/events/call-recorder';
import type { AwaitedImage } from '../read/awaited-images';
import { ThumbnailWorker } from './thumbnail-worker';

type JobHandler = Parameters<Queues['work']>[1];
type JobData = Parameters<JobHandler>[0]['data'];

const [busy, quiet] = [1 as RealmId, 2 as RealmId];
const WAITING = 50;

/** Images that await thumbnails, and a worker that has them made, which takes a turn of the event loop each. */
class Stage {
  readonly begun = new CallRecorder<[AwaitedImage]>();
  readonly worker: ThumbnailWorker;
  private readonly awaited: AwaitedImage[] = [];
  private broken: FileId | undefined;
  private handler: JobHandler | undefined;

  constructor() {
    const work = (_: string, handler: JobHandler) => (this.handler = handler);
    const kernel = {
      queues: () => Promise.resolve({ work }),
      due: { find: async () => [...new Set(this.awaited.map(({ realmId }) => realmId))] },
      fence: { reach: () => Promise.resolve(0) },
      options: { log: { warn: () => undefined } },
    } as unknown as Kernel;
    const isAfter = (id: FileId, after: FileId | null) => after === null || id > after;
    const awaited = {
      next: async (realmId: RealmId, after: FileId | null) =>
        this.awaited.find((image) => image.realmId === realmId && isAfter(image.fileId, after)),
    };
    this.worker = new ThumbnailWorker(kernel, awaited, { of: (image) => this.make(image) });
  }

  upload(realmId: RealmId, count: number): void {
    const first = this.awaited.length + 1;
    for (let n = 0; n < count; n++)
      this.awaited.push({ realmId, fileId: (first + n) as FileId, key: `key ${first + n}`, size: 1 });
  }

  /** The job of a worker that has read of an upload. */
  async wake(data: JobData): Promise<void> {
    await this.handler?.({ id: '', data, attempt: 1 });
  }

  breakImage(id: number): void {
    this.broken = id as FileId;
  }

  of(realmId: RealmId): number[] {
    return this.begun.calls.flatMap(([image], n) => (image.realmId === realmId ? [n] : []));
  }

  private async make(image: AwaitedImage): Promise<void> {
    this.begun.listener(image);
    await new Promise((resolve) => setImmediate(resolve));
    if (image.fileId === this.broken) throw new Error('the disk does not answer');
    this.awaited.splice(this.awaited.indexOf(image), 1);
  }
}

describe('a worker that makes thumbnails', () => {
  let stage: Stage;
  beforeEach(() => (stage = new Stage()));
  afterEach(() => stage.worker.stop());

  it.each([
    ['a job', { key: quiet, position: 1 }],
    ['a job of an earlier release', { realmId: quiet, fileId: 1 }],
  ])('makes the image of an organization, on %s, after at most one of another that has many', async (_, data) => {
    await stage.worker.begin();
    stage.upload(busy, WAITING);
    await stage.wake({ key: busy, position: WAITING });
    await stage.begun.atLeast(3);
    stage.upload(quiet, 1);
    const before = stage.begun.calls.length;
    await stage.wake(data);
    await stage.begun.atLeast(WAITING + 1);
    const [turn = Infinity] = stage.of(quiet);
    expect(turn - before).toBeLessThanOrEqual(1);
  });

  it('finds images without a job, and lets the organizations take turns with them', async () => {
    stage.upload(busy, WAITING);
    stage.upload(quiet, 2);
    await stage.worker.sweep();
    expect(stage.begun.calls).toHaveLength(WAITING + 2);
    expect(stage.of(quiet).every((turn) => turn < 5)).toBe(true);
  });

  it('continues with the next image when one cannot be processed, which a later pass tries again', async () => {
    stage.upload(busy, 3);
    stage.breakImage(2);
    await stage.worker.sweep();
    expect(stage.begun.calls.map(([{ fileId }]) => fileId)).toEqual([1, 2, 3]);
    stage.breakImage(0);
    await stage.worker.sweep();
    expect(stage.begun.calls.map(([{ fileId }]) => fileId)).toEqual([1, 2, 3, 2]);
  });
});
