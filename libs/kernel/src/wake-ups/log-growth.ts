import type { Position, RealmId } from '../domain/index';
import type { WakeUps } from './wake-ups';

/**
 * Notifies followers of the log that it grew: of the first append to a realm at once, and of later appends within an interval
 * at the end of that interval. A follower reads a page of events, so a notice for each append would wake it for nothing.
 */
export class LogGrowth {
  /** The realms with a notice in this interval, each with the head to publish at its end; null if there is none. */
  private readonly pending = new Map<RealmId, Position | null>();
  private timer: NodeJS.Timeout | null = null;

  /** @param gatherMs length of the interval in ms; 0 publishes each append at once */
  constructor(
    private readonly wakeUps: Pick<WakeUps, 'publish'>,
    private readonly gatherMs: number,
  ) {}

  note(realmId: RealmId, head: Position): void {
    if (this.pending.has(realmId)) {
      this.pending.set(realmId, head);
      return;
    }
    this.wakeUps.publish('log', realmId, head);
    if (this.gatherMs === 0) return;
    this.pending.set(realmId, null);
    this.timer ??= setTimeout(() => this.flush(), this.gatherMs).unref();
  }

  /** Publishes the pending heads. */
  flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const waiting = [...this.pending];
    this.pending.clear();
    for (const [realmId, head] of waiting) if (head !== null) this.note(realmId, head);
  }
}
