import { setTimeout as pause } from 'node:timers/promises';
import type { Caller, Registered, WireEvent } from '../server/caller';

/** How long a client waits after a failed poll, in milliseconds. */
const BACK_OFF_MS = 50;

/**
 * A client that polls its queue continuously, like real ones: after a broken connection or an answer 5xx it polls again
 * with the same queue and the same last id.
 */
export class PollingClient {
  readonly events: WireEvent[] = [];
  private readonly leaving = new AbortController();
  private readonly polling: Promise<void>;
  private readonly waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  private last: number;

  constructor(
    private readonly caller: Caller,
    private readonly queue: Registered,
  ) {
    this.last = queue.last_event_id;
    this.polling = this.follow();
  }

  /** Resolves when this many events have arrived. @throws Error when the server no longer knows the queue */
  async received(count: number): Promise<readonly WireEvent[]> {
    if (this.events.length < count) {
      const enough = new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
      await Promise.race([enough, this.polling]);
    }
    return this.events;
  }

  async stop(): Promise<void> {
    this.leaving.abort();
    await this.polling;
  }

  private async follow(): Promise<void> {
    const { signal } = this.leaving;
    while (!signal.aborted) {
      const params = { queue_id: this.queue.queue_id, last_event_id: this.last };
      try {
        const { status, body } = await this.caller.get<{ events: WireEvent[] }>('/events', params, { signal });
        if (status === 200) this.take(body.events);
        else if (status < 500) throw new LostQueue(`${status} ${JSON.stringify(body)}`);
        else await pause(BACK_OFF_MS);
      } catch (error) {
        if (error instanceof LostQueue) throw error;
        if (!signal.aborted) await pause(BACK_OFF_MS);
      }
    }
  }

  private take(events: readonly WireEvent[]): void {
    this.last = events.at(-1)?.id ?? this.last;
    this.events.push(...events.filter(({ type }) => type !== 'heartbeat'));
    for (const { count, resolve } of this.waiting) if (this.events.length >= count) resolve();
  }
}

class LostQueue extends Error {}
