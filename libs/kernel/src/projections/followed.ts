import type { Clock, Instant, Position, RealmId } from '../domain/index';
import type { Database } from '../database/database';
import type { ParkedEvent } from './checkpoints';
import { checkpointsOf, park, standingOf } from './checkpoints';
import type { EventSource } from './event-source';
import { messageOf } from './failures';
import type { Consumer } from './page-follower';
import { PageFollower } from './page-follower';
import type { ProjectionRow } from './projection-store';

/** Waits after failures that may pass, in milliseconds: doubled each time, up to the longest. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;

export interface FollowedStatus {
  readonly name: string;
  /** Null while another version is live, or none. */
  readonly generation: number | null;
  /** Events of all realms it still has to take. */
  readonly lag: number;
  readonly realmsBehind: number;
  readonly parked: readonly { readonly realmId: RealmId; readonly position: number; readonly error: string }[];
  /** Realms whose last try failed for a reason that may pass. */
  readonly failing: readonly { readonly realmId: RealmId; readonly error: string }[];
  /** Realms whose checkpoint is beyond the heads that were looked at last: those of a replica that lags, or a restore. */
  readonly ahead: readonly RealmId[];
}

interface Wait {
  readonly until: Instant;
  readonly failures: number;
  readonly error: string | null;
}

/** What a runner knows of one projection or reader: where it stands in each realm, and what keeps it there. */
export class Followed {
  /** Realms that are queued or at work. */
  readonly turns = new Set<RealmId>();
  private follower: PageFollower | null = null;
  private readonly positions = new Map<RealmId, number>();
  private parked = new Map<RealmId, { readonly position: number; readonly error: string }>();
  private readonly waits = new Map<RealmId, Wait>();
  /** Positions at which a realm was found to be at the end of its log, whatever the heads said. */
  private readonly ends = new Map<RealmId, number>();
  /** Positions after which nothing was found although the log goes on there. */
  private readonly unseen = new Map<RealmId, number>();

  constructor(
    private readonly deps: { readonly database: Database; readonly source: EventSource; readonly clock: Clock },
    readonly consumer: Consumer,
    private readonly version: number,
    private readonly pageSize: number,
  ) {}

  /** Takes over what is live now, and what others have parked or resumed. */
  async refresh(rows: ReadonlyMap<string, ProjectionRow>, parked: readonly ParkedEvent[]): Promise<void> {
    const row = rows.get(this.consumer.name);
    if (row === undefined || row.version !== this.version || row.lifecycle === 'inline') {
      this.follower = null;
      return;
    }
    const generation = { projection: row.name, generation: row.generation };
    if (this.follower?.generation.generation !== row.generation) {
      const checkpoints = await checkpointsOf(this.deps.database.pool, generation);
      this.positions.clear();
      this.waits.clear();
      this.ends.clear();
      for (const [realmId, { position }] of checkpoints) this.positions.set(realmId, position);
      this.follower = new PageFollower(this.deps, this.consumer, generation, this.pageSize);
    }
    const mine = parked.filter((one) => one.projection === row.name && one.generation === row.generation);
    this.parked = new Map(mine.map((one) => [one.realmId, one]));
  }

  wantsTurn(realmId: RealmId, head: number): boolean {
    if (this.follower === null || this.parked.has(realmId) || this.turns.has(realmId)) return false;
    if ((this.waits.get(realmId)?.until ?? 0) > this.deps.clock.now()) return false;
    const position = this.positions.get(realmId) ?? 0;
    return position < head || (position > head && this.ends.get(realmId) !== position);
  }

  /** Events of the realm still to be taken. */
  behind(realmId: RealmId, head: number): number {
    return head - (this.positions.get(realmId) ?? 0);
  }

  /** @throws what made the step fail; the realm then waits a little */
  async step(realmId: RealmId): Promise<void> {
    const { follower } = this;
    if (follower === null) return;
    const from = this.positions.get(realmId) ?? 0;
    try {
      const outcome = await follower.step(realmId, from);
      if (this.follower !== follower) return; // switched meanwhile: what is known is about another generation
      switch (outcome.kind) {
        case 'advanced':
          if (outcome.position === from) return await this.lookAtTheEnd(realmId, follower);
          this.waits.delete(realmId);
          this.positions.set(realmId, outcome.position);
          return;
        case 'overtaken':
          return await this.lookAgain(realmId, from, follower);
        case 'parked':
          this.parked.set(realmId, outcome);
      }
    } catch (error) {
      this.wait(realmId, messageOf(error));
      throw error;
    }
  }

  status(heads: ReadonlyMap<RealmId, number>): FollowedStatus {
    const behind = [...heads].map(([realmId, head]) => head - (this.positions.get(realmId) ?? 0)).filter((n) => n > 0);
    return {
      name: this.consumer.name,
      generation: this.follower?.generation.generation ?? null,
      lag: behind.reduce((sum, n) => sum + n, 0),
      realmsBehind: behind.length,
      parked: [...this.parked].map(([realmId, { position, error }]) => ({ realmId, position, error })),
      failing: [...this.waits].flatMap(([realmId, { error }]) => (error === null ? [] : [{ realmId, error }])),
      ahead: [...heads]
        .filter(([realmId, head]) => (this.positions.get(realmId) ?? 0) > head)
        .map(([realmId]) => realmId),
    };
  }

  /** There was nothing to take: either it cannot be seen yet, or this is the end of the log, or beyond it. */
  private async lookAtTheEnd(realmId: RealmId, { generation }: PageFollower): Promise<void> {
    const { database, clock } = this.deps;
    const { checkpoint, head } = await standingOf(database.pool, generation, realmId);
    if (this.follower?.generation !== generation || this.wasTakenBack(realmId, checkpoint)) return;
    this.positions.set(realmId, checkpoint);
    if (checkpoint < head) {
      // It may have been written after the page was read; only what is not there the second time needs patience.
      if (this.unseen.get(realmId) === checkpoint) this.wait(realmId, null);
      else this.unseen.set(realmId, checkpoint);
    } else if (checkpoint === head) this.ends.set(realmId, checkpoint);
    else {
      const error = `stands at ${checkpoint} although the log ends at ${head}: after a restore run "annals restored"`;
      const position = checkpoint as Position;
      const event = { ...generation, realmId, position, error, parkedAt: clock.now() };
      if (await database.transaction('BEGIN', (client) => park(client, event, position)))
        this.parked.set(realmId, event);
    }
  }

  private async lookAgain(realmId: RealmId, from: number, { generation }: PageFollower): Promise<void> {
    const checkpoint = (await checkpointsOf(this.deps.database.pool, generation, realmId)).get(realmId);
    if (this.follower?.generation !== generation) return;
    const position = checkpoint?.position ?? 0;
    if (this.wasTakenBack(realmId, position)) return;
    this.positions.set(realmId, position);
    // Parked by somebody else, or no longer live: the next poll tells.
    if (position === from || checkpoint?.parked) this.wait(realmId, null);
  }

  /**
   * A checkpoint that went back went with the whole database, to an older copy. Pages that were read before then are of
   * events that are no more, so nothing is applied any more; the process has to start again.
   */
  private wasTakenBack(realmId: RealmId, checkpoint: number): boolean {
    const known = this.positions.get(realmId) ?? 0;
    if (checkpoint >= known) return false;
    this.wait(realmId, `the checkpoint went back from ${known} to ${checkpoint}: was the database restored?`);
    return true;
  }

  private wait(realmId: RealmId, error: string | null): void {
    const failures = (this.waits.get(realmId)?.failures ?? 0) + 1;
    const ms = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1));
    this.waits.set(realmId, { failures, error, until: (this.deps.clock.now() + ms) as Instant });
  }
}
