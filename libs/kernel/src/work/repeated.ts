/**
 * Does something at once and then every so often, until it is stopped; a turn is left out while one is under way. Turns
 * fall on multiples of their distance since the process began, so that those of several wake the process together.
 */
export class Repeated {
  private timer: NodeJS.Timeout | undefined;
  private turn: Promise<void> | null = null;

  /** @param act must not reject: nobody waits for what comes of it */
  constructor(
    private readonly everyMs: number,
    private readonly act: () => Promise<void>,
  ) {}

  start(): void {
    this.plan();
    this.take();
  }

  /** Begins nothing any more, and resolves when the turn under way has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.turn;
  }

  private plan(): void {
    // A timer may come a little early; the moment that it was for is over then.
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
