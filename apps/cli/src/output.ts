import { once } from 'node:events';

/**
 * Where a command writes. Whoever reads it may go at any time (`| head`): what is left to be said is then not said, and
 * the command goes on or ends as it likes, without a complaint.
 */
export class Output {
  private readonly gone = new AbortController();
  private failure: Error | null = null;

  constructor(private readonly stream: NodeJS.WritableStream) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') this.failure ??= error;
      this.gone.abort();
    });
  }

  /** Aborts when nobody reads any more. */
  get closed(): AbortSignal {
    return this.gone.signal;
  }

  /** Writes a line, without waiting for whoever reads it. */
  readonly print = (line: string): void => {
    if (!this.gone.signal.aborted) this.stream.write(`${line}\n`);
  };

  /** Writes a line and waits until more can be written, for those who have a lot to say. */
  async write(line: string): Promise<void> {
    const { signal } = this.gone;
    if (signal.aborted || this.stream.write(`${line}\n`)) return;
    await once(this.stream, 'drain', { signal }).catch(() => undefined);
  }

  /**
   * Resolves when all is written, or nobody reads it.
   *
   * @throws Error when it could not be written for another reason: a full disk
   */
  async written(): Promise<void> {
    if (!this.gone.signal.aborted) await new Promise<void>((resolve) => this.stream.write('', () => resolve()));
    if (this.failure) throw this.failure;
  }
}
