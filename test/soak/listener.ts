import { setTimeout as pause } from 'node:timers/promises';
import { positionOf } from '../../libs/feed/src/domain/event-id';
import type { Client } from './client';

const PATIENCE_MS = 120_000;
const BACK_OFF_MS = 50;

/** The registration of a queue for new messages of the soak and for edits. */
const REGISTRATION = { event_types: '["message","update_message"]', fetch_event_types: '[]' };

interface Event {
  readonly id: number;
  readonly type: string;
}

/** A position of the log that a queue has handed out, and when, in ms. */
export interface Received {
  readonly position: number;
  readonly at: number;
}

/** A client that polls one queue whatever happens, like real ones: with the same queue and its last id. */
export class Listener {
  readonly received: Received[] = [];
  /** An answer that no client may get. */
  readonly wrong: string[] = [];
  private last: number;
  private polling: Promise<void> = Promise.resolve();
  private readonly leaving = new AbortController();

  private constructor(
    readonly name: string,
    private readonly client: Client,
    private readonly queueId: string,
    /** Position of the log that the queue begins after. */
    readonly since: number,
    lastEventId: number,
  ) {
    this.last = lastEventId;
  }

  /** Registers a queue and begins to poll it. @throws Error when that fails */
  static async start(name: string, client: Client): Promise<Listener> {
    const answer = await client.must('POST', '/register', REGISTRATION);
    const last = Number(answer['last_event_id']);
    const listener = new Listener(name, client, String(answer['queue_id']), positionOf(last), last);
    listener.polling = listener.poll();
    return listener;
  }

  /** The position that was handed out last. */
  get reached(): number {
    return this.received.at(-1)?.position ?? this.since;
  }

  /** Ends the polling; what was received stays. */
  async stop(): Promise<void> {
    this.leaving.abort();
    await this.polling;
  }

  private async poll(): Promise<void> {
    const { signal } = this.leaving;
    while (!signal.aborted) {
      const form = { queue_id: this.queueId, last_event_id: String(this.last) };
      const asked = { method: 'GET', path: '/events', form, patienceMs: PATIENCE_MS, signal } as const;
      const answer = await this.client.ask(asked).catch(() => null);
      if (answer?.status === 200) {
        this.take(answer.body['events'] as readonly Event[]);
      } else if (answer && answer.status < 500) {
        this.wrong.push(`the queue was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
        return;
      } else if (!signal.aborted) {
        await pause(BACK_OFF_MS);
      }
    }
  }

  private take(events: readonly Event[]): void {
    const at = performance.now();
    for (const { id, type } of events) {
      if (id <= this.last) this.wrong.push(`event ${id} came after ${this.last}`);
      this.last = id;
      if (type === 'heartbeat') continue;
      const position = positionOf(id);
      if (position !== this.reached || this.received.length === 0) this.received.push({ position, at });
    }
  }
}
