import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Asked, Client } from './client';

/** The prefix of a text of the soak. The rest of it makes it unique. */
export const OURS = 'soak ';

/** A text, and when it was answered that it is stored, in ms. */
export interface Acknowledged {
  readonly text: string;
  readonly at: number;
}

/** How long a client waits for an answer, in ms: longer than any fault. */
const PATIENCE_MS = 20_000;
const BACK_OFF_MS = 50;
/** How far ahead messages are scheduled, at least, in s. */
const AHEAD_S = 4;
/** One act in so many edits the message that was sent last. */
const EDIT_EVERY = 8;

/** The outcome of all writes of one person. */
export abstract class Author {
  readonly acknowledged: Acknowledged[] = [];
  /** Requests that were answered with an error that does not say what was done, or not at all. */
  unanswered = 0;
  /** Requests that nothing is wrong with, and that were refused. */
  readonly refused: string[] = [];

  constructor(
    protected readonly client: Client,
    protected readonly name: string,
  ) {}

  /**
   * @param isLate whether the request came so late, by a fault, that it may be refused
   * @returns the answer when it is a success
   */
  protected async write(
    text: string,
    asked: Pick<Asked, 'method' | 'path' | 'form'>,
    isLate = () => false,
  ): Promise<Answer['body'] | null> {
    try {
      const { status, body } = await this.client.ask({ ...asked, patienceMs: PATIENCE_MS });
      if (status === 200) {
        this.acknowledged.push({ text, at: performance.now() });
        return body;
      }
      if (status < 500 && !isLate())
        this.refused.push(`${asked.method} ${asked.path}: ${status} ${JSON.stringify(body)}`);
    } catch {
      // the connection broke
    }
    this.unanswered++;
    await pause(BACK_OFF_MS);
    return null;
  }
}

/** A user who sends messages to a channel, one after the other, and edits some of them. Nothing is sent twice. */
export class Writer extends Author {
  /** @param everyMs pause between two acts */
  async run(channel: number, everyMs: number, signal: AbortSignal): Promise<void> {
    let last: number | null = null;
    for (let n = 1; !signal.aborted; n++) {
      const text = `${OURS}${this.name} ${n}`;
      if (last !== null && n % EDIT_EVERY === 0) {
        await this.write(text, { method: 'PATCH', path: `/messages/${last}`, form: { content: text } });
      } else {
        const form = { type: 'channel', to: String(channel), topic: `topic of ${this.name}`, content: text };
        const sent = await this.write(text, { method: 'POST', path: '/messages', form });
        last = sent ? Number(sent['id']) : null;
      }
      await pause(everyMs);
    }
  }
}

/** A user who schedules messages for a few seconds later. */
export class Planner extends Author {
  /** When each text is due, in ms of this process's clock. */
  readonly due = new Map<string, number>();

  /** @param everyMs pause between two acts */
  async run(channel: number, everyMs: number, signal: AbortSignal): Promise<void> {
    for (let n = 1; !signal.aborted; n++) {
      const text = `${OURS}${this.name} ${n}`;
      const at = Math.ceil(Date.now() / 1_000) + AHEAD_S + (n % AHEAD_S);
      const due = performance.now() + at * 1_000 - Date.now();
      this.due.set(text, due);
      const form = { type: 'channel', to: String(channel), topic: 'later', content: text };
      const scheduled = { ...form, scheduled_delivery_timestamp: String(at) };
      const asked = { method: 'POST', path: '/scheduled_messages', form: scheduled } as const;
      await this.write(text, asked, () => performance.now() > due);
      await pause(everyMs);
    }
  }
}
