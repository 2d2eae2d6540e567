import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Clock, RealmId } from '../../domain/index';
import type { Share } from '../../wake-ups/notice';
import { ALL_SHARES, SHARES } from '../../wake-ups/notice';

/** How often a process says that it lives, and after which silence the others take over, in ms. */
export const BEAT_MS = 500;
const SILENCE_MS = 1_200;
/** After which the others have taken over from a process that stands still, in ms. */
export const TAKEN_OVER_MS = SILENCE_MS + BEAT_MS;
/** After which its row is removed, in ms. */
const FORGOTTEN_MS = 60_000;

/** For a migration. What is in it is worth nothing after a crash, hence no log is written for it. */
export const FOLLOWER_PROCESSES_SQL = `
CREATE UNLOGGED TABLE follower_processes (
  id uuid PRIMARY KEY,
  follows text NOT NULL,
  seen_at int8 NOT NULL
) WITH (fillfactor = 50);
`;

/**
 * The processes that follow the log, and which of them follows an organization: they share all of them evenly, by a rule
 * that each works out for itself from who lives. Only those share that follow the same by the same rule: of two releases
 * that run side by side, each has all organizations followed. When two think differently for a moment both follow a realm,
 * or nobody does until the next beat; neither does harm, as a checkpoint is moved by one of them only.
 */
export class Membership {
  private readonly id = randomUUID();
  private members: readonly string[] = [this.id];
  /** Those of all realms that this process follows. */
  shares: readonly Share[] = sharesOf(this.members, this.id);
  private readonly rule: string;

  /** @param follows what this process follows, in which versions */
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    follows: string,
  ) {
    this.rule = `${SHARES} shares: ${follows}`;
  }

  /**
   * Says that this process lives, and finds out who else does.
   * @returns whether that has changed since the last time
   */
  async beat(): Promise<boolean> {
    const now = this.clock.now();
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'follower-beat',
      text: `WITH beat AS (
          INSERT INTO follower_processes (id, follows, seen_at) VALUES ($1, $5, $2)
          ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
        ), forgotten AS (DELETE FROM follower_processes WHERE seen_at < $4 AND id <> $1)
        SELECT id FROM follower_processes WHERE seen_at >= $3 AND follows = $5 AND id <> $1`,
      values: [this.id, now, now - SILENCE_MS, now - FORGOTTEN_MS, this.rule],
    });
    // It counts itself in any case: whoever cannot see the others does too much, never too little.
    const members = [this.id, ...rows.map(({ id }) => id)].sort();
    const hasChanged = members.join() !== this.members.join();
    if (hasChanged) {
      this.members = members;
      this.shares = sharesOf(members, this.id);
    }
    return hasChanged;
  }

  /** Ids of organizations are given in a row, so that the rest of a division spreads them evenly. */
  holds(realmId: RealmId): boolean {
    return this.members[(realmId % SHARES) % this.members.length] === this.id;
  }

  /** Lets the others take over at their next beat. */
  async leave(): Promise<void> {
    await this.pool.query('DELETE FROM follower_processes WHERE id = $1', [this.id]);
  }
}

const sharesOf = (members: readonly string[], id: string): Share[] =>
  ALL_SHARES.filter((_, n) => members[n % members.length] === id);
