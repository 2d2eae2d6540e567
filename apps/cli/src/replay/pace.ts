import type { Instant } from '@annals/kernel/domain';

/** How fast a log is replayed: `10` is ten times as fast as it was written; null is as fast as possible. */
export type Speed = number | null;

/** Waits before events so that their distances in time are those of the log, divided by the speed. */
export class Pace {
  private first: { readonly at: Instant; readonly startedAt: number } | null = null;

  /**
   * @param now a time in ms, from anywhere
   * @param sleep waits so many ms, or until the replay is stopped
   */
  constructor(
    private readonly speed: Speed,
    private readonly now: () => number,
    private readonly sleep: (ms: number) => Promise<void>,
  ) {}

  /** Resolves when an event of this time is due. */
  async until(at: Instant): Promise<void> {
    if (this.speed === null) return;
    this.first ??= { at, startedAt: this.now() };
    const due = this.first.startedAt + (at - this.first.at) / this.speed;
    const ms = due - this.now();
    if (ms > 0) await this.sleep(ms);
  }

  /** Whether events of different times have to be written one by one. */
  get isTimed(): boolean {
    return this.speed !== null;
  }
}
