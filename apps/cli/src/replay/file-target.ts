import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { StoredEvent } from '@annals/kernel';
import { replayLine } from './replay-line';
import type { ReplayTarget } from './replay-target';

/** A block of the end of a file. The largest line fits into a few of them. */
const BLOCK = 256 * 1024;
const NEWLINE = 0x0a;

/** A file with one JSON object a line. It says itself how far it is, by its last line. */
export class FileTarget implements ReplayTarget {
  private file: FileHandle | null = null;

  constructor(
    private readonly path: string,
    private readonly withWords: boolean,
  ) {}

  async open(resume: boolean, start: number): Promise<number> {
    if (!resume) {
      this.file = await open(this.path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST'
          ? new Error(`${this.path} exists: continue it with --resume, or remove it.`)
          : error;
      });
      return start;
    }
    this.file = await open(this.path, 'a+', 0o600);
    const line = await this.cutToLastLine(this.file);
    if (line === null) return start;
    return Math.max(start, positionOf(line, this.path));
  }

  async write(events: readonly StoredEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.file?.appendFile(events.map((event) => `${replayLine(event, this.withWords)}\n`).join(''));
  }

  async reached(): Promise<void> {}

  async complete(): Promise<string[]> {
    await this.file?.sync();
    return [];
  }

  async close(): Promise<void> {
    await this.file?.close();
  }

  /** Removes a line that was written in part. @returns the last whole line, or null if there is none */
  private async cutToLastLine(file: FileHandle): Promise<string | null> {
    let end = (await file.stat()).size;
    let tail = Buffer.alloc(0);
    let from = end;
    for (;;) {
      const last = tail.lastIndexOf(NEWLINE);
      const before = last <= 0 ? -1 : tail.lastIndexOf(NEWLINE, last - 1);
      if (last >= 0 && (before >= 0 || from === 0)) {
        end = from + last + 1;
        await file.truncate(end);
        return tail.subarray(before + 1, last).toString();
      }
      if (from === 0) break;
      const size = Math.min(BLOCK, from);
      from -= size;
      const { buffer } = await file.read(Buffer.alloc(size), 0, size, from);
      tail = Buffer.concat([buffer, tail]);
    }
    await file.truncate(0);
    return null;
  }
}

function positionOf(line: string, path: string): number {
  try {
    const { position } = JSON.parse(line) as { position?: unknown };
    if (Number.isSafeInteger(position)) return position as number;
  } catch {
    // Reported below, like a line without a position.
  }
  throw new Error(`The last line of ${path} is not an event of a log.`);
}
