import type { Position, RealmId } from '../domain/index';
import type { WakeUps } from './wake-ups';

/**
 * Tells followers of the log that it grew: of the first append to a realm at once, of those that come within a while after
 * it with the end of that while. They take a page for all of them, so one notice for each would wake them for nothing.
 */
export class LogGrowth {
  /** Realms of which was told in this while, with what is to be told at its end. */
  private readonly told = new Map<RealmId, Position | null>();
  private timer: NodeJS.Timeout | null = null;

  /** @param gatherMs how long the while is; 0 tells of each append */
  constructor(
    private readonly wakeUps: Pick<WakeUps, 'publish'>,
    private readonly gatherMs: number,
  ) {}

  note(realmId: RealmId, head: Position): void {
    if (this.told.has(realmId)) {
      this.told.set(realmId, head);
      return;
    }
    this.wakeUps.publish('log', realmId, head);
    if (this.gatherMs === 0) return;
    this.told.set(realmId, null);
    this.timer ??= setTimeout(() => this.flush(), this.gatherMs).unref();
  }

  /** Tells what is still to be told. */
  flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const waiting = [...this.told];
    this.told.clear();
    for (const [realmId, head] of waiting) if (head !== null) this.note(realmId, head);
  }
}
