/** All that happens at the same interval. It shares a timer, so that the process wakes once for it. */
class Beat {
  private readonly members = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly everyMs: number) {}

  join(member: () => void): void {
    this.members.add(member);
    if (this.timer === undefined) this.plan();
  }

  leave(member: () => void): void {
    this.members.delete(member);
    if (this.members.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private plan(): void {
    // A timer may fire a little early. Then the time that it was for counts as over.
    const now = Math.floor(performance.now()) + EARLY_MS;
    const wait = this.everyMs - (now % this.everyMs) + EARLY_MS;
    this.timer = setTimeout(() => {
      this.plan();
      for (const member of [...this.members]) member();
    }, wait);
  }
}

/** The beats of the process, by their intervals in ms. */
const beats = new Map<number, Beat>();

const EARLY_MS = 2;

/**
 * Does something at once and then periodically, until it is stopped. A time at which it is running is skipped. The
 * times are multiples of the interval since the process began, so that several tasks wake the process together.
 */
export class Repeated {
  private readonly beat: Beat;
  private turn: Promise<void> | null = null;
  private isStopped = false;

  /** @param act must not reject, because its result is not used */
  constructor(
    everyMs: number,
    private readonly act: () => Promise<void>,
  ) {
    this.beat = beats.get(everyMs) ?? new Beat(everyMs);
    beats.set(everyMs, this.beat);
  }

  start(): void {
    this.isStopped = false;
    this.beat.join(this.take);
    this.take();
  }

  /** Begins nothing any more, and resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.beat.leave(this.take);
    await this.turn;
  }

  private readonly take = (): void => {
    // Another one that had its turn at the same time may have stopped this one.
    if (!this.isStopped) this.turn ??= this.act().finally(() => (this.turn = null));
  };
}
