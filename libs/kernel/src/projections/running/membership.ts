import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Clock, RealmId } from '../../domain/index';
import type { Share } from '../../wake-ups/notice';
import { ALL_SHARES, SHARES } from '../../wake-ups/notice';

/** Interval in ms at which a process announces that it lives. */
export const BEAT_MS = 500;
const SILENCE_MS = 1_200;
/** Time in ms after which the others take over from a frozen process. */
export const TAKEN_OVER_MS = SILENCE_MS + BEAT_MS;
/** Time in ms after which its row is deleted. */
const FORGOTTEN_MS = 60_000;

/** For a migration. The table is unlogged, as its rows have no value after a crash. */
export const FOLLOWER_PROCESSES_SQL = `
CREATE UNLOGGED TABLE follower_processes (
  id uuid PRIMARY KEY,
  follows text NOT NULL,
  seen_at int8 NOT NULL
) WITH (fillfactor = 50);
`;

/**
 * The processes that follow the log, and which of them follows an organization. They share the organizations evenly, by
 * a rule that each process computes from the list of living processes. Only processes with the same read models and
 * rule share: of two releases that run side by side, each follows all organizations. If two processes disagree for a
 * moment, both follow a realm, or none until the next beat. Neither does harm, as only one of them can move a
 * checkpoint.
 */
export class FollowerMembership {
  private readonly id = randomUUID();
  private members: readonly string[] = [this.id];
  /** The realms among all that this process follows. */
  shares: readonly Share[] = sharesOf(this.members, this.id);
  private readonly rule: string;

  /** @param follows the read models and versions that this process follows */
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    follows: string,
  ) {
    this.rule = `${SHARES} shares: ${follows}`;
  }

  /**
   * Announces that this process lives, and reads which others do.
   * @returns whether the list has changed since the last time
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
    // The process always counts itself: one that cannot see the others does too much, and never too little.
    const members = [this.id, ...rows.map(({ id }) => id)].sort();
    const hasChanged = members.join() !== this.members.join();
    if (hasChanged) {
      this.members = members;
      this.shares = sharesOf(members, this.id);
    }
    return hasChanged;
  }

  /** Ids of organizations are consecutive, so the remainder of a division spreads them evenly. */
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
