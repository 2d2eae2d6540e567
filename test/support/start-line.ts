import { Heard } from './heard';

/**
 * Lets several who race stand at one line until all of them are there: the first batch that each of them writes is
 * decided, and waits before it takes the lock.
 */
export class StartLine {
  private missing = 0;
  private arrivals = new Heard();
  private open: () => void = () => undefined;
  private opened: Promise<void> = Promise.resolve();

  /** The next so many that come to the line wait for each other; afterwards everybody passes. */
  arm(count: number): void {
    this.missing = count;
    this.arrivals = new Heard();
    this.opened = new Promise((resolve) => (this.open = resolve));
  }

  /** For the option `step` of whoever writes. */
  async pass(step: string): Promise<void> {
    if (step !== 'begin' || this.missing === 0) return;
    this.missing -= 1;
    this.arrivals.listener();
    if (this.missing === 0) this.open();
    await this.opened;
  }

  /** Resolves when somebody stands at the line. */
  async occupied(): Promise<void> {
    await this.arrivals.atLeast(1);
  }
}
