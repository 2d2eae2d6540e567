import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoredEvent } from '@annals/kernel';
import { replayLine } from './replay-line';
import type { ReplayTarget } from './replay-target';

/** Most events, and about the most characters, of one request. */
const MAX_EVENTS = 500;
const MAX_LENGTH = 1_000_000;
/** How often a request is tried, and the first pause in ms, doubled each time. */
const TRIES = 8;
const PAUSE_MS = 250;
const TIMEOUT_MS = 30_000;

export interface ServerTargetOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The file with the position that the server has confirmed. */
  readonly state: string;
  readonly withWords: boolean;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * A server that takes lines of JSON by POST. An answer 2xx confirms all events of a request. After an interruption the
 * events of one request may be sent again, and the server knows them by their position.
 */
export class ServerTarget implements ReplayTarget {
  constructor(private readonly options: ServerTargetOptions) {}

  async open(resume: boolean, start: number): Promise<number> {
    if (!resume) {
      await this.reached(start);
      return start;
    }
    const { state } = this.options;
    const text = await readFile(state, 'utf8').catch(() => {
      throw new Error('There is no interrupted replay to this server with these options.');
    });
    return Math.max(start, Number((JSON.parse(text) as { position: number }).position));
  }

  async write(events: readonly StoredEvent[]): Promise<void> {
    let body = '';
    let count = 0;
    let last = 0;
    const send = async () => {
      if (count === 0) return;
      await this.post(body);
      await this.reached(last);
      [body, count] = ['', 0];
    };
    for (const event of events) {
      const line = `${replayLine(event, this.options.withWords)}\n`;
      if (count === MAX_EVENTS || (count > 0 && body.length + line.length > MAX_LENGTH)) await send();
      body += line;
      count += 1;
      last = event.position;
    }
    await send();
  }

  async reached(position: number): Promise<void> {
    const { state } = this.options;
    await mkdir(dirname(state), { recursive: true, mode: 0o700 });
    await writeFile(`${state}.new`, JSON.stringify({ position }), { mode: 0o600 });
    await rename(`${state}.new`, state);
  }

  async complete(): Promise<string[]> {
    return [];
  }

  async close(): Promise<void> {}

  /** @throws Error when the server refuses the events, or does not answer for about half a minute */
  private async post(body: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const failure = await this.tryToPost(body);
      if (failure === null) return;
      if (failure.isFinal || attempt === TRIES) throw new Error(`The server did not take the events: ${failure.why}`);
      await this.options.sleep(PAUSE_MS * 2 ** (attempt - 1));
    }
  }

  private async tryToPost(body: string): Promise<{ why: string; isFinal: boolean } | null> {
    const { url, headers } = this.options;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', ...headers },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (answer.ok) return null;
      const later = answer.status >= 500 || answer.status === 429 || answer.status === 408;
      return { why: `status ${answer.status}`, isFinal: !later };
    } catch (error) {
      const cause = (error as { cause?: unknown }).cause;
      return { why: cause instanceof Error ? cause.message : String((error as Error).message), isFinal: false };
    }
  }
}
