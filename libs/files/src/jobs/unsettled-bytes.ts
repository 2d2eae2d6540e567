import { ReferencedFiles, PeriodicSweep, pages } from '@annals/kernel';
import type { FileStore, Kernel, UnsettledFile } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';

const SWEEP_MS = 3_600_000;
/** Age in ms at which an upload or a deletion has ended, with or without success. */
export const GRACE_MS = 3_600_000;
/** Files in one query. */
const PAGE = 200;

/**
 * Repairs, every hour, what a crash interrupted between storing bytes and their event. Several workers may do so at once.
 */
export class UnsettledBytes extends PeriodicSweep {
  constructor(
    private readonly kernel: Pick<Kernel, 'clock' | 'options'>,
    private readonly kinds: readonly ReferencedFiles[],
  ) {
    super(SWEEP_MS, kernel, 'unsettled files could not be repaired; trying again in an hour');
  }

  /** For all kinds of bytes that contexts declare. */
  static of(kernel: Kernel, store: FileStore): UnsettledBytes {
    const kinds = kernel.options.contexts.flatMap((context) => context.bytes);
    return new UnsettledBytes(
      kernel,
      kinds.map((kind) => new ReferencedFiles(kernel, store, kind)),
    );
  }

  /** Keeps bytes that an event names and deletes all others. What fails now is tried again with the next sweep. */
  override async sweep(): Promise<void> {
    const before = (this.kernel.clock.now() - GRACE_MS) as Instant;
    for (const bytes of this.kinds) await this.sweepKind(bytes, before);
  }

  private async sweepKind(bytes: ReferencedFiles, before: Instant): Promise<void> {
    const unsettled = pages<UnsettledFile>(PAGE, (after) => bytes.unsettledBefore(before, PAGE, after));
    for await (const page of unsettled) for (const one of page) await this.finish(bytes, one);
  }

  private async finish(bytes: ReferencedFiles, { realmId, key, isNamed }: UnsettledFile): Promise<void> {
    const settle = () => (isNamed ? bytes.settle(realmId, key) : bytes.discard(realmId, key));
    await this.isolated({ realm: realmId, key }, settle, 'bytes could not be settled; trying again in an hour');
  }
}
