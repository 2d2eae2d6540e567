import type { PresenceOwner } from '../read/presence-rows';
import { keyOf } from '../read/presence-rows';

/** A moment between two ends of presences. */
export type PresenceMark = number;

/**
 * The users whose presence ended in this process: they were deactivated or turned presence off. What began before that end, and
 * is done after it, must not give the user a presence again. A process keeps a number for each of them until it stops.
 */
export class EndedPresences {
  private readonly last = new Map<string, number>();
  private readonly remaining = new Map<string, PresenceOwner>();
  private count = 0;

  add(owner: PresenceOwner): void {
    this.last.set(keyOf(owner), ++this.count);
    this.mayRemain(owner);
  }

  /** The table may have a row of this user. */
  mayRemain({ realmId, userId }: PresenceOwner): void {
    this.remaining.set(keyOf({ realmId, userId }), { realmId, userId });
  }

  /** Now, for `since`. */
  mark(): PresenceMark {
    return this.count;
  }

  /** Whether the presence of a user ended after the mark. */
  since(mark: PresenceMark, owner: PresenceOwner): boolean {
    return (this.last.get(keyOf(owner)) ?? 0) > mark;
  }

  /** Users whose rows may still be in the table. */
  toDelete(): readonly PresenceOwner[] {
    return [...this.remaining.values()];
  }

  /** The rows of these users were deleted. Those whose presence ended meanwhile remain. */
  deleted(owners: readonly PresenceOwner[]): void {
    for (const owner of owners) if (this.remaining.get(keyOf(owner)) === owner) this.remaining.delete(keyOf(owner));
  }
}
