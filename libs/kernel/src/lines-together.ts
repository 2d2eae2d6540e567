/** UTF-16 units that are written at once at the latest. */
const TOGETHER = 65_536;
/** Time in ms after which a line is written at the latest. */
const TOGETHER_MS = 250;

/**
 * Writes lines together, because a write costs the system more than the lines. Wakes the process only while there are
 * lines to write. The caller flushes before the process ends; a process that is killed by a signal loses the last ones.
 */
export class LinesTogether {
  // A list, because pino's own buffer copies all of its text to measure it at each line.
  private lines: string[] = [];
  private length = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly output: (text: string) => void) {}

  write(line: string): void {
    this.lines.push(line);
    this.length += line.length;
    if (this.length >= TOGETHER) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), TOGETHER_MS).unref();
  }

  /** Writes what waits. */
  flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.lines.length === 0) return;
    const text = this.lines.join('');
    this.lines = [];
    this.length = 0;
    this.output(text);
  }
}
