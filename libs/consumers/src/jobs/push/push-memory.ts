import type { Kernel } from '@annals/kernel';
import type { Instant, Position } from '@annals/kernel/domain';
import { saveScanned } from './batch-rows';
import type { PushedConsumer } from './batch-rows';
import type { LogOffset } from '../../read/offsets';

/** How long an advance without events is only remembered, in milliseconds. It makes the lag of figures. */
const UNSAVED_MS = 10_000;
/**
 * What a worker remembers of a consumer. It only saves work: nothing is to be done up to a head, the consumer waits, and the
 * log has no events for it up to an offset.
 */
export class PushMemory {
  /** A growth of the log changes nothing before: a failed request waits, or another process sends. */
  waitsUntil = 0 as Instant;
  /** Nothing is tried before, because of an error of this server. */
  stoppedUntil = 0 as Instant;
  private quietAt = -1;
  private began = -1;
  private readTo: LogOffset = -1;
  private through: LogOffset = -1;
  private savedAt: Instant;

  constructor(private readonly kernel: Pick<Kernel, 'database' | 'clock'>) {
    this.savedAt = kernel.clock.now();
  }

  /** Nothing is to be done before the log grows. @returns false */
  quiet(head: Position): false {
    this.quietAt = head;
    return false;
  }

  /** Whether a pass may find something to do. The database says that no failed request waits. */
  isWorthPass(head: Position): boolean {
    const now = this.kernel.clock.now();
    return this.stoppedUntil <= now && (head > this.quietAt || this.mustSave(now));
  }

  /** Whether a growth of the log may have something to send. */
  isWorthGrowth(): boolean {
    return Math.max(this.stoppedUntil, this.waitsUntil) <= this.kernel.clock.now();
  }

  /** Where reading continues. Null if the database must say it. */
  nextFor({ began }: PushedConsumer): LogOffset | null {
    return this.began === began ? this.through : null;
  }

  /** Whether this is the stored position from which it has looked further. */
  isAt({ began }: PushedConsumer, readTo: LogOffset): boolean {
    return this.began === began && this.readTo === readTo;
  }

  /** Everything up to a stored position is settled. */
  settled({ began }: PushedConsumer, readTo: LogOffset): void {
    this.began = began;
    this.readTo = readTo;
    this.through = readTo;
  }

  /** A request is stored, which must be acknowledged first. */
  forget(): void {
    this.began = -1;
    this.through = this.readTo;
  }

  /** Remembers an advance without events, and stores it now and then. */
  async scanned(consumer: PushedConsumer, through: LogOffset): Promise<void> {
    const now = this.kernel.clock.now();
    this.through = through;
    if (!this.mustSave(now)) return;
    await saveScanned(this.kernel.database.pool, consumer, this.readTo, through);
    this.savedAt = now;
    this.readTo = through;
  }

  private mustSave(now: Instant): boolean {
    return this.through > this.readTo && now - this.savedAt >= UNSAVED_MS;
  }
}
