import type { PresenceOwner } from '../read/presence-rows';
import { keyOf } from '../read/presence-rows';

/** A moment between two departures. */
export type DepartureMark = number;

/**
 * The users who left or turned presence off, as far as this process knows. What began before a departure, and ends after it,
 * must not bring the user back. A process keeps a number for each of them until it ends.
 */
export class Departures {
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
  mark(): DepartureMark {
    return this.count;
  }

  /** Whether a user has departed after the mark. */
  since(mark: DepartureMark, owner: PresenceOwner): boolean {
    return (this.last.get(keyOf(owner)) ?? 0) > mark;
  }

  /** Users whose rows may still be in the table. */
  toDelete(): readonly PresenceOwner[] {
    return [...this.remaining.values()];
  }

  /** The rows of these users were deleted. Those who departed meanwhile remain. */
  deleted(owners: readonly PresenceOwner[]): void {
    for (const owner of owners) if (this.remaining.get(keyOf(owner)) === owner) this.remaining.delete(keyOf(owner));
  }
}
