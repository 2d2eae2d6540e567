import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Asked, Client } from './client';
import { OURS } from './writer';

type Flag = 'read' | 'starred';

const PATIENCE_MS = 20_000;
const BACK_OFF_MS = 50;
/** Messages of a screen. */
const SCREEN = 20;
/** Messages that are compared with one request. */
const COMPARED = 500;
/** One screen in so many is marked as unread again, and loses its stars. */
const UNDONE_EVERY = 4;

/** A user who reads screen by screen, marks messages as read and as unread, stars them and searches. */
export class Reader {
  /** Requests that nothing is wrong with, and that were refused. */
  readonly refused: string[] = [];
  acknowledged = 0;
  /** The last acknowledged value of each flag, by message. */
  private readonly flags: Record<Flag, Map<number, boolean>> = { read: new Map(), starred: new Map() };

  constructor(private readonly client: Client) {}

  /** @param everyMs pause between two screens */
  async run(everyMs: number, signal: AbortSignal): Promise<void> {
    for (let n = 1; !signal.aborted; n++) {
      const ids = await this.found([['is', 'unread']], signal);
      await this.change('add', 'read', ids, signal);
      await this.change('add', 'starred', ids.slice(-1), signal);
      if (n % UNDONE_EVERY === 0) {
        await this.change('remove', 'read', ids.slice(0, 2), signal);
        await this.change('remove', 'starred', ids, signal);
      }
      await this.found([['search', OURS]], signal);
      await pause(everyMs);
    }
  }

  /** Flags that are not as it was acknowledged. */
  async lost(): Promise<string[]> {
    const wrong: string[] = [];
    for (const [flag, known] of Object.entries(this.flags)) {
      const ids = [...known.keys()];
      for (let from = 0; from < ids.length; from += COMPARED) {
        const form = { message_ids: JSON.stringify(ids.slice(from, from + COMPARED)) };
        const { messages } = await this.client.must('GET', '/messages', form);
        for (const { id, flags } of messages as readonly { id: number; flags: readonly string[] }[]) {
          const isSet = known.get(id) === true;
          if (flags.includes(flag) !== isSet) wrong.push(`message ${id} is ${isSet ? 'not ' : ''}${flag}`);
        }
      }
    }
    return wrong;
  }

  /** Texts that a search does not find. */
  async notFound(texts: readonly string[]): Promise<string[]> {
    const wrong: string[] = [];
    for (const text of texts) {
      const narrow = JSON.stringify([['search', `"${text}"`]]);
      const { messages } = await this.client.must('GET', '/messages', { narrow, anchor: 'newest', num_before: '1' });
      if ((messages as readonly unknown[]).length === 0) wrong.push(`no search finds "${text}"`);
    }
    return wrong;
  }

  private async found(narrow: readonly (readonly string[])[], signal: AbortSignal): Promise<number[]> {
    const form = { anchor: 'newest', num_before: String(SCREEN), narrow: JSON.stringify(narrow) };
    const answer = await this.repeat({ method: 'GET', path: '/messages', form }, signal);
    return ((answer?.['messages'] ?? []) as readonly { id: number }[]).map(({ id }) => id);
  }

  private async change(op: 'add' | 'remove', flag: Flag, ids: readonly number[], signal: AbortSignal): Promise<void> {
    if (ids.length === 0) return;
    const form = { messages: JSON.stringify(ids), op, flag };
    const answer = await this.repeat({ method: 'POST', path: '/messages/flags', form }, signal);
    for (const id of ids) {
      if (answer) this.flags[flag].set(id, op === 'add');
      else this.flags[flag].delete(id);
    }
    if (answer) this.acknowledged++;
  }

  /** Sends a request until it is answered, as it changes nothing the second time. @returns null at the end, or if it is refused */
  private async repeat(asked: Omit<Asked, 'patienceMs'>, signal: AbortSignal): Promise<Answer['body'] | null> {
    while (!signal.aborted) {
      const answer = await this.client.ask({ ...asked, patienceMs: PATIENCE_MS }).catch(() => null);
      if (answer?.status === 200) return answer.body;
      if (answer && answer.status < 500) {
        this.refused.push(`${asked.method} ${asked.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return null;
      }
      await pause(BACK_OFF_MS);
    }
    return null;
  }
}
