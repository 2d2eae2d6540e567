import type { Clock, Instant } from '@annals/kernel/domain';

type Pace = 'quick' | 'slow';

/** Runs that one process makes at a time. Each holds a connection to PostgreSQL for its lock, and needs others. */
const AT_ONCE: Readonly<Record<Pace, number>> = { quick: 3, slow: 3 };
/** A run that takes longer is slow. */
const SLOW_MS = 60_000;

/** A run that waits for its turn, or has it. */
interface Turn {
  readonly directory: string;
  readonly begin: () => void;
  pace: Pace;
  since: Instant;
}

/**
 * Gives runs of directories their turns, first come, first served. A directory whose last run was slow has its turns among the slow ones,
 * and so does a run that turns out to be slow. So slow directories hold up each other. Quick ones wait for them until the first look
 * after a minute, unless more than all turns together become slow at once.
 */
export class RunTurns {
  private readonly slow = new Set<string>();
  private readonly running = new Set<Turn>();
  private waiting: Turn[] = [];

  constructor(private readonly clock: Clock) {}

  /** Runs a task when it is its turn. @throws what the task throws */
  async run(directory: string, task: () => Promise<void>): Promise<void> {
    const turn = await new Promise<Turn>((resolve) => {
      const waiting: Turn = {
        directory,
        begin: () => resolve(waiting),
        pace: this.slow.has(directory) ? 'slow' : 'quick',
        since: this.clock.now(),
      };
      this.waiting.push(waiting);
      this.next();
    });
    try {
      await task();
    } finally {
      this.running.delete(turn);
      if (this.isSlow(turn)) this.slow.add(directory);
      else this.slow.delete(directory);
      this.next();
    }
  }

  /** Looks for runs that have become slow. They make room for quick ones while there is room for slow ones. */
  look(): void {
    for (const turn of this.running) {
      if (turn.pace === 'quick' && this.isSlow(turn) && this.hasRoom('slow')) turn.pace = 'slow';
    }
    this.next();
  }

  private next(): void {
    const still: Turn[] = [];
    for (const turn of this.waiting) {
      if (!this.hasRoom(turn.pace)) {
        still.push(turn);
        continue;
      }
      turn.since = this.clock.now();
      this.running.add(turn);
      turn.begin();
    }
    this.waiting = still;
  }

  private hasRoom(pace: Pace): boolean {
    return [...this.running].filter((turn) => turn.pace === pace).length < AT_ONCE[pace];
  }

  private isSlow({ since }: Turn): boolean {
    return this.clock.now() - since > SLOW_MS;
  }
}
