/** Does something at once and then every so often, until it is stopped; a turn is left out while one is under way. */
export class Repeated {
  private timer: NodeJS.Timeout | null = null;
  private turn: Promise<void> | null = null;

  /** @param act must not reject: nobody waits for what comes of it */
  constructor(
    private readonly everyMs: number,
    private readonly act: () => Promise<void>,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.take(), this.everyMs);
    this.take();
  }

  /** Begins nothing any more, and resolves when the turn under way has ended. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.turn;
  }

  private take(): void {
    this.turn ??= this.act().finally(() => (this.turn = null));
  }
}
