import type { Clock, Instant, Position, RealmId } from '../domain/index';
import type { Database } from '../database/database';
import type { Generation, ParkedEvent } from './checkpoints';
import { checkpointsOf, park, standingOf } from './checkpoints';
import type { EventSource, ReadEvent } from './event-source';
import { messageOf } from './failures';
import type { Consumer } from './page-follower';
import { PageFollower } from './page-follower';
import type { Followable, ProjectionRow } from './projection-store';
import { liveGeneration } from './projection-store';

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
  /** The event at the position, of those that were taken here. */
  private readonly taken = new Map<RealmId, ReadEvent>();
  /** Realms whose checkpoint was found to be lower than it was. */
  private readonly lowered = new Set<RealmId>();
  private parked = new Map<RealmId, { readonly position: number; readonly error: string }>();
  private readonly waits = new Map<RealmId, Wait>();
  /** Positions at which a realm was found to be at the end of its log, whatever the heads said. */
  private readonly ends = new Map<RealmId, number>();
  /** Positions after which nothing was found although the log goes on there. */
  private readonly unseen = new Map<RealmId, number>();

  constructor(
    private readonly deps: { readonly database: Database; readonly source: EventSource; readonly clock: Clock },
    readonly consumer: Consumer,
    private readonly declared: Followable,
    private readonly pageSize: number,
  ) {}

  /** Takes over what is live now, and what others have parked or resumed. */
  async refresh(rows: ReadonlyMap<string, ProjectionRow>, parked: readonly ParkedEvent[]): Promise<void> {
    const row = rows.get(this.consumer.name);
    const live = liveGeneration(row, this.declared);
    if (row === undefined || live === null) {
      this.follower = null;
      return;
    }
    const generation = { projection: row.name, generation: live };
    if (this.follower?.generation.generation !== live) {
      const checkpoints = await checkpointsOf(this.deps.database.pool, generation);
      this.positions.clear();
      this.taken.clear();
      this.lowered.clear();
      this.waits.clear();
      this.ends.clear();
      for (const [realmId, { position }] of checkpoints) this.positions.set(realmId, position);
      this.follower = new PageFollower(this.deps, this.consumer, generation, this.pageSize);
    }
    await this.lookForLowered(generation);
    const mine = parked.filter((one) => one.projection === row.name && one.generation === live);
    this.parked = new Map(mine.map((one) => [one.realmId, one]));
  }

  /** What kept everybody waiting is over. */
  tryAgain(): void {
    this.waits.clear();
  }

  wantsTurn(realmId: RealmId, head: number): boolean {
    if (this.follower === null || this.parked.has(realmId) || this.turns.has(realmId)) return false;
    if ((this.waits.get(realmId)?.until ?? 0) > this.deps.clock.now()) return false;
    const position = this.positions.get(realmId) ?? 0;
    if (this.lowered.has(realmId)) return true;
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
      if (this.lowered.has(realmId)) return await this.lookAgain(realmId, follower, null);
      const outcome = await follower.step(realmId, from);
      if (this.follower !== follower) return; // switched meanwhile: what is known is about another generation
      switch (outcome.kind) {
        case 'advanced':
          if (outcome.position === from) return await this.lookAtTheEnd(realmId, follower);
          this.waits.delete(realmId);
          this.moveTo(realmId, outcome.position);
          if (outcome.last) this.taken.set(realmId, outcome.last);
          return;
        case 'overtaken':
          return await this.lookAgain(realmId, follower, outcome.last);
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
    if (this.follower?.generation !== generation) return;
    await this.goOnFrom(realmId, checkpoint);
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

  /** @param read the last event of the page that could not be applied, if there was one */
  private async lookAgain(realmId: RealmId, { generation }: PageFollower, read: ReadEvent | null): Promise<void> {
    const from = this.positions.get(realmId) ?? 0;
    if (read) await this.deps.source.ensureHolds(read);
    const checkpoint = (await checkpointsOf(this.deps.database.pool, generation, realmId)).get(realmId);
    if (this.follower?.generation !== generation) return;
    const position = checkpoint?.position ?? 0;
    await this.goOnFrom(realmId, position);
    // Parked by somebody else, or no longer live: the next poll tells.
    if (position === from || checkpoint?.parked) this.wait(realmId, null);
  }

  /**
   * PostgreSQL does not wait for the disk when a checkpoint is written, so a crash takes the last ones back, together
   * with what was written beside them: both are made again. A restore takes back events as well, and then nothing is
   * applied any more.
   * @throws Error when the log does not hold the event that was taken last
   */
  private async goOnFrom(realmId: RealmId, checkpoint: number): Promise<void> {
    const taken = this.taken.get(realmId);
    if (taken && checkpoint < taken.position) await this.deps.source.ensureHolds(taken);
    this.moveTo(realmId, checkpoint);
  }

  private moveTo(realmId: RealmId, position: number): void {
    this.positions.set(realmId, position);
    this.lowered.delete(realmId);
  }

  /** Nobody says so when a crash takes a checkpoint back: where the log does not grow, nothing else would show it. */
  private async lookForLowered(generation: Generation): Promise<void> {
    const before = new Map(this.positions);
    const checkpoints = await checkpointsOf(this.deps.database.pool, generation);
    for (const [realmId, position] of before)
      if ((checkpoints.get(realmId)?.position ?? 0) < position) this.lowered.add(realmId);
  }

  private wait(realmId: RealmId, error: string | null): void {
    const failures = (this.waits.get(realmId)?.failures ?? 0) + 1;
    const ms = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1));
    this.waits.set(realmId, { failures, error, until: (this.deps.clock.now() + ms) as Instant });
  }
}
