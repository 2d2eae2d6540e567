import { once } from 'node:events';

/**
 * The output of a command. Its reader may close it at any time (`| head`): the rest is then dropped, and the command
 * continues or ends without an error.
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

  /** Aborts when the reader has closed the output. */
  get closed(): AbortSignal {
    return this.gone.signal;
  }

  /** Writes a line, without waiting for the reader. */
  readonly print = (line: string): void => {
    if (!this.gone.signal.aborted) this.stream.write(`${line}\n`);
  };

  /** Writes a line and waits until more can be written, for commands with much output. */
  async write(line: string): Promise<void> {
    const { signal } = this.gone;
    if (signal.aborted || this.stream.write(`${line}\n`)) return;
    await once(this.stream, 'drain', { signal }).catch(() => undefined);
  }

  /**
   * Resolves when all is written, or the reader has closed the output.
   *
   * @throws Error when it could not be written for another reason: a full disk
   */
  async written(): Promise<void> {
    if (!this.gone.signal.aborted) await new Promise<void>((resolve) => this.stream.write('', () => resolve()));
    if (this.failure) throw this.failure;
  }
}
