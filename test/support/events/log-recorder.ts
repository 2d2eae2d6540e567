import type { DestinationStream } from 'pino';

const LEVEL = /^\{"level":(\d+)/;

/** Keeps every line of a log, and hands on those from a level on. */
export class LogRecorder implements DestinationStream {
  private readonly lines: string[] = [];

  /** @param from least level that is handed on: 30 is info, 60 fatal */
  constructor(
    private readonly rest: DestinationStream,
    private readonly from: number,
  ) {}

  write(line: string): void {
    this.lines.push(line);
    if (Number(LEVEL.exec(line)?.[1]) >= this.from) this.rest.write(line);
  }

  get text(): string {
    return this.lines.join('');
  }
}
