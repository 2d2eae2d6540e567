/**
 * Does something at once and then periodically, until it is stopped. A time at which it is running is skipped. The
 * times are multiples of the interval since the process began, so that several tasks wake the process together.
 */
export class Repeated {
  private timer: NodeJS.Timeout | undefined;
  private turn: Promise<void> | null = null;

  /** @param act must not reject, because its result is not used */
  constructor(
    private readonly everyMs: number,
    private readonly act: () => Promise<void>,
  ) {}

  start(): void {
    this.plan();
    this.take();
  }

  /** Begins nothing any more, and resolves when the current run has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.turn;
  }

  private plan(): void {
    // A timer may fire a little early. Then the time that it was for counts as over.
    const now = Math.floor(performance.now()) + EARLY_MS;
    const wait = this.everyMs - (now % this.everyMs) + EARLY_MS;
    this.timer = setTimeout(() => {
      this.plan();
      this.take();
    }, wait);
  }

  private take(): void {
    this.turn ??= this.act().finally(() => (this.turn = null));
  }
}

const EARLY_MS = 2;
