import type { Instant, UserId } from '@annals/kernel/domain';
import type { Presence } from '../domain/presence';
import { latest } from '../domain/presence';
import type { PresenceRow } from './presence-rows';

/** Texts of one realm that are kept, and how many characters they may have in all. */
const MAX_TEXTS = 100;
const MAX_CHARACTERS = 10_000_000;

/** A ping of a batch. */
interface SentPing {
  readonly userId: UserId;
  readonly presence: Presence;
}

/** The presences of one realm as one process knows them: rows of the table, and pings that are not in it yet. */
export class KnownPresences {
  private readonly rows = new Map<UserId, PresenceRow>();
  private readonly pings = new Map<UserId, Presence>();
  private readonly texts = new Map<string, string>();
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
    this.dropTexts();
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
    for (const [userId, row] of this.rows) {
      if (row.updateId > after && row.connectedAt >= oldest && !this.pings.has(userId)) yield [userId, row];
    }
    for (const [userId, ping] of this.pings) if (ping.connectedAt >= oldest) yield [userId, ping];
  }

  /** A text that follows from these presences alone, and is kept until one of them changes. */
  text(key: string, write: () => string): string {
    const known = this.texts.get(key);
    if (known !== undefined) return known;
    const text = write();
    if (this.texts.size >= MAX_TEXTS || this.characters + text.length > MAX_CHARACTERS) this.dropTexts();
    this.texts.set(key, text);
    this.characters += text.length;
    return text;
  }

  private dropTexts(): void {
    this.texts.clear();
    this.characters = 0;
  }

  private add(row: PresenceRow): void {
    const known = this.rows.get(row.userId);
    if (known && known.updateId >= row.updateId) return;
    this.dropTexts();
    this.rows.set(row.userId, known ? { ...row, ...latest(known, row) } : row);
  }
}
