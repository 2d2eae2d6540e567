import type { Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import type { KeptBytes, Unsettled } from '../application/kept-bytes';

const SWEEP_MS = 3_600_000;
/** An upload or a deletion that began so long ago, in ms, has ended in whatever way. */
export const GRACE_MS = 3_600_000;
/** Files looked at at once. */
const PAGE = 200;

/** Finishes, every hour, what crashes interrupted between bytes and log. Several workers may do so at once. */
export class FileSweeper {
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly kernel: Pick<Kernel, 'clock' | 'options'>,
    private readonly bytes: KeptBytes,
  ) {}

  /** Sweeps now, and every hour from now on. */
  start(): void {
    const sweepNow = (): void => {
      this.sweeping = this.sweep().catch((err: unknown) =>
        this.kernel.options.log.warn({ err }, 'unsettled files could not be looked after; trying again in an hour'),
      );
    };
    this.timer = setInterval(sweepNow, SWEEP_MS);
    sweepNow();
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.sweeping;
  }

  /** Bytes that an event names stay; all others go. What cannot go now is tried again with the next sweep. */
  async sweep(): Promise<void> {
    const before = (this.kernel.clock.now() - GRACE_MS) as Instant;
    let last: Unsettled | null = null;
    for (;;) {
      const page = await this.bytes.unsettledBefore(before, PAGE, last);
      for (const file of page) await this.finish(file);
      last = page.at(-1) ?? null;
      if (page.length < PAGE) return;
    }
  }

  private async finish({ realmId, key, isNamed }: Unsettled & { readonly isNamed: boolean }): Promise<void> {
    try {
      await (isNamed ? this.bytes.settle(realmId, key) : this.bytes.discard(realmId, key));
    } catch (err) {
      this.kernel.options.log.warn({ err, realm: realmId, key }, 'a file could not be settled; the others are');
    }
  }
}
