import { clearLine, cursorTo } from 'node:readline';

const TICK_MS = 1_000;

/** Says what is being measured: one line that keeps changing on a terminal, a line for each step elsewhere. */
export class Progress {
  private step = '';
  private detail = '';
  private since = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param out where it is shown. Standard error, so that the table can be piped */
  constructor(private readonly out: NodeJS.WriteStream = process.stderr) {}

  /** @param detail changes too often for a line of its own; shown on a terminal only */
  show(step: string, detail = ''): void {
    const isNew = step !== this.step;
    if (isNew) this.since = performance.now();
    this.step = step;
    this.detail = detail;
    if (!this.out.isTTY) {
      if (isNew) this.out.write(`${step}\n`);
      return;
    }
    this.timer ??= setInterval(() => this.draw(), TICK_MS).unref();
    this.draw();
  }

  /** Clears the line of the terminal for the next output. */
  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    if (this.out.isTTY) this.erase();
  }

  private draw(): void {
    this.erase();
    const seconds = Math.floor((performance.now() - this.since) / 1_000);
    this.out.write(
      `${this.step}${this.detail && `: ${this.detail}`} (${seconds} s)`.slice(0, this.out.columns || undefined),
    );
  }

  private erase(): void {
    clearLine(this.out, 0);
    cursorTo(this.out, 0);
  }
}
