import { lastUsed } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import type { Cursor } from '../domain/event-id';
import type { ClientQueue } from './client-queue';
import type { ServedQueue, QueueRows } from './queue-rows';

/** Queues whose last poll this process remembers. */
const MAX_REMEMBERED = 100_000;
/** Rows of one statement. */
const PAGE = 1_000;

interface Known extends ServedQueue {
  /** Not stored yet. */
  fresh: boolean;
}

/**
 * When each queue polled last, and how far it was served. The process remembers it for the next poll and stores it once
 * a minute. A crash loses a minute of a queue's lifetime.
 */
export class QueueActivity {
  private readonly known = lastUsed<Known>(MAX_REMEMBERED);

  constructor(private readonly rows: QueueRows) {}

  /** How far the queue was served, by an earlier poll in this process or by its row. */
  servedBefore(queue: ClientQueue): Cursor {
    return this.known.get(queue.id)?.served ?? queue.served;
  }

  /** A poll has begun. */
  polled(queue: ClientQueue, at: Instant, served: Cursor): void {
    this.known.set(queue.id, { realmId: queue.realmId, id: queue.id, at, served, fresh: true });
  }

  /** A poll was answered, or skipped events that are not for it. */
  served(queue: ClientQueue, served: Cursor): void {
    const known = this.known.get(queue.id);
    if (known) this.known.set(queue.id, { ...known, served, fresh: true });
  }

  forget(queueId: string): void {
    this.known.delete(queueId);
  }

  /** Stores what changed. @returns ids of queues that no longer exist */
  async write(): Promise<string[]> {
    const fresh = [...this.known.values()].filter((activity) => activity.fresh);
    const gone: string[] = [];
    for (let from = 0; from < fresh.length; from += PAGE) {
      const page = fresh.slice(from, from + PAGE);
      gone.push(...(await this.rows.recordActivity(page)));
      for (const activity of page) activity.fresh = false;
    }
    for (const id of gone) this.known.delete(id);
    return gone;
  }
}
