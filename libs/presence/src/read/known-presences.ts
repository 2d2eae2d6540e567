import type { Instant, UserId } from '@annals/kernel/domain';
import type { Presence } from '../domain/presence';
import { latest } from '../domain/presence';
import type { PresenceRow } from './presence-rows';

/** Texts of one realm that are kept, and how many characters they may have in all. */
const MAX_TEXTS = 100;
const MAX_CHARACTERS = 10_000_000;
/**
 * With more users than this a text is not written again for each ping, because a ping arrives before the text was sent. The
 * key of a text names the second of the answer, so no text is older.
 */
const MAX_EXACT = 1_000;

/** A ping of a batch. */
interface SentPing {
  readonly userId: UserId;
  readonly presence: Presence;
}

/** Presences as a client receives them. */
interface PresenceText {
  readonly text: string;
  /** All updates up to this one are in the text. */
  readonly head: number;
}

/** The presences of one realm as one process knows them: rows of the table, and pings that are not in it yet. */
export class KnownPresences {
  private readonly rows = new Map<UserId, PresenceRow>();
  /** All rows in the order of updates, and some that were replaced since. */
  private ordered: PresenceRow[] = [];
  private readonly pings = new Map<UserId, Presence>();
  private readonly texts = new Map<string, PresenceText>();
  /** Characters in all texts. */
  private characters = 0;
  /** All rows up to this update are known. */
  head = 0;
  /** When the table was last read. */
  readAt: Instant | null = null;

  /** How many users have a presence. */
  get size(): number {
    return this.rows.size + this.pings.size;
  }

  of(userId: UserId): Presence | undefined {
    return this.pings.get(userId) ?? this.rows.get(userId);
  }

  ping(userId: UserId, presence: Presence): void {
    this.changed();
    this.pings.set(userId, presence);
  }

  /** Pings that have not been written yet. */
  unwritten(): ReadonlyMap<UserId, Presence> {
    return this.pings;
  }

  /** A ping was sent to the table. @param row undefined if nobody may see the user any more */
  written({ userId, presence }: SentPing, row: PresenceRow | undefined): void {
    if (row) this.add(row);
    if (this.pings.get(userId) !== presence) return;
    if (!row) this.dropTexts();
    this.pings.delete(userId);
  }

  /**
   * Adds all rows that were written after the head, in the order of updates.
   *
   * @param isShown whether the user of a row has not left meanwhile
   */
  read(rows: readonly PresenceRow[], at: Instant, isShown: (row: PresenceRow) => boolean): void {
    for (const row of rows) if (isShown(row)) this.add(row);
    this.head = Math.max(this.head, rows.at(-1)?.updateId ?? 0);
    this.readAt = at;
  }

  forget(userId: UserId): void {
    this.dropTexts();
    this.rows.delete(userId);
    this.pings.delete(userId);
  }

  /** Presences that changed after an update, and those of the last second, whose updates have no id yet. */
  *since(update: number, oldest: number): Iterable<readonly [UserId, Presence]> {
    // After a restore clients may know updates that do not exist any more.
    const after = update > this.head ? -1 : update;
    for (let n = this.firstAfter(after); n < this.ordered.length; n++) {
      const row = this.ordered[n] as PresenceRow;
      const { userId } = row;
      if (this.isCurrent(row) && row.connectedAt >= oldest && !this.pings.has(userId)) yield [userId, row];
    }
    for (const [userId, ping] of this.pings) if (ping.connectedAt >= oldest) yield [userId, ping];
  }

  /** A text that follows from these presences alone, and is kept until one of them changes. */
  text(key: string, write: () => string): PresenceText {
    const known = this.texts.get(key);
    if (known !== undefined) return known;
    const text = { text: write(), head: this.head };
    if (this.texts.size >= MAX_TEXTS || this.characters + text.text.length > MAX_CHARACTERS) this.dropTexts();
    this.texts.set(key, text);
    this.characters += text.text.length;
    return text;
  }

  private changed(): void {
    if (this.size <= MAX_EXACT) this.dropTexts();
  }

  private dropTexts(): void {
    this.texts.clear();
    this.characters = 0;
  }

  private add(row: PresenceRow): void {
    const known = this.rows.get(row.userId);
    if (known && known.updateId >= row.updateId) return;
    this.changed();
    const added = known ? { ...row, ...latest(known, row) } : row;
    this.rows.set(row.userId, added);
    // The rows of two processes may become known in another order than that of their updates.
    this.ordered.splice(this.firstAfter(row.updateId), 0, added);
    if (this.ordered.length > 2 * this.rows.size) this.ordered = this.ordered.filter((one) => this.isCurrent(one));
  }

  private isCurrent(row: PresenceRow): boolean {
    return this.rows.get(row.userId) === row;
  }

  /** Index of the first row that was written after an update. */
  private firstAfter(update: number): number {
    let from = 0;
    let to = this.ordered.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.ordered[middle] as PresenceRow).updateId > update) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}
