import { KeptBytes, Repeated, pages } from '@annals/kernel';
import type { FileStore, Kernel, Unsettled } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';

const SWEEP_MS = 3_600_000;
/** An upload or a deletion that began so long ago, in ms, has ended in whatever way. */
export const GRACE_MS = 3_600_000;
/** Files looked at at once. */
const PAGE = 200;

/** Finishes, every hour, what crashes interrupted between bytes and log. Several workers may do so at once. */
export class FileSweeper {
  private readonly sweeps = new Repeated(SWEEP_MS, () => this.sweepOrWarn());

  constructor(
    private readonly kernel: Pick<Kernel, 'clock' | 'options'>,
    private readonly kinds: readonly KeptBytes[],
  ) {}

  /** One that looks after all kinds of bytes that contexts declare. */
  static of(kernel: Kernel, store: FileStore): FileSweeper {
    const kinds = kernel.options.contexts.flatMap((context) => context.bytes);
    return new FileSweeper(
      kernel,
      kinds.map((kind) => new KeptBytes(kernel, store, kind)),
    );
  }

  /** Sweeps now, and every hour from now on. */
  start(): void {
    this.sweeps.start();
  }

  stop(): Promise<void> {
    return this.sweeps.stop();
  }

  private sweepOrWarn(): Promise<void> {
    return this.sweep().catch((err: unknown) =>
      this.kernel.options.log.warn({ err }, 'unsettled files could not be looked after; trying again in an hour'),
    );
  }

  /** Bytes that an event names stay; all others go. What cannot go now is tried again with the next sweep. */
  async sweep(): Promise<void> {
    const before = (this.kernel.clock.now() - GRACE_MS) as Instant;
    for (const bytes of this.kinds) await this.sweepKind(bytes, before);
  }

  private async sweepKind(bytes: KeptBytes, before: Instant): Promise<void> {
    const unsettled = pages<Unsettled>(PAGE, (after) => bytes.unsettledBefore(before, PAGE, after));
    for await (const page of unsettled) for (const one of page) await this.finish(bytes, one);
  }

  private async finish(bytes: KeptBytes, { realmId, key, isNamed }: Unsettled): Promise<void> {
    try {
      await (isNamed ? bytes.settle(realmId, key) : bytes.discard(realmId, key));
    } catch (err) {
      this.kernel.options.log.warn({ err, realm: realmId, key }, 'bytes could not be settled; trying again in an hour');
    }
  }
}
