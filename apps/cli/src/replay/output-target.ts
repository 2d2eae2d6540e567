import type { StoredEvent } from '@annals/kernel';
import { replayLine } from './replay-line';
import type { ReplayTarget } from './replay-target';

/** Standard output, one JSON object a line. It cannot be continued. */
export class OutputTarget implements ReplayTarget {
  constructor(
    private readonly line: (line: string) => Promise<void>,
    private readonly withWords: boolean,
  ) {}

  async open(resume: boolean, start: number): Promise<number> {
    if (resume) throw new Error('Standard output cannot be continued: give --from instead of --resume.');
    return start;
  }

  async write(events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) await this.line(replayLine(event, this.withWords));
  }

  async reached(): Promise<void> {}

  async complete(): Promise<string[]> {
    return [];
  }

  async close(): Promise<void> {}
}
