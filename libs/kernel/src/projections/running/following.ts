import type { Clock, Instant, Position, RealmId, Recorded } from '../../domain/index';
import type { Database } from '../../database/database';
import type { Generation, CheckpointMove } from '../checkpoints/checkpoints';
import { checkpointsOf, park, standingOf } from '../checkpoints/checkpoints';
import type { EventSource, ReadEvent } from './event-source';
import { messageOf } from '../checkpoints/failures';
import type { Consumer, Outcome } from './page-follower';
import { PageFollower } from './page-follower';

/** Pauses in ms after temporary failures: doubled each time, up to a maximum. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;

/** A follower stores its checkpoint after this many events that do not concern it, or this many reads of the heads. */
const LAZY_EVENTS = 1_000;
const LAZY_LOOKS = 5;

export interface FollowingDeps {
  readonly database: Database;
  readonly source: EventSource;
  readonly clock: Clock;
}

interface Standing {
  /** The checkpoint. */
  stored: number;
  /**
   * There is nothing to apply up to here. It is beyond the checkpoint while none of the events between concerns the
   * follower.
   */
  seen: number;
  /** The event at that position, if this process read it. */
  last: ReadEvent | null;
  /** The read of the heads in which it moved last, and the read since which it is ahead of its checkpoint. */
  movedIn: number;
  lazySince: number;
  /** The checkpoint may differ from the last written one: a crash removed it, or it has not been read yet. */
  isDoubtful: boolean;
  /** The position at which the realm was found to be at the end of its log, whatever the heads are. */
  end: number;
  /** The position after which no event was found although the log continues. */
  unseen: number;
}

interface Wait {
  readonly until: Instant;
  readonly failures: number;
  readonly error: string | null;
}

/** The state of one generation of a projection or reader: its position in each realm, and what stops it. */
export class Following {
  parked = new Map<RealmId, { readonly position: number; readonly error: string }>();
  private readonly standings = new Map<RealmId, Standing>();
  private readonly waits = new Map<RealmId, Wait>();
  private readonly alone: PageFollower;
  private looks = 0;

  constructor(
    private readonly deps: FollowingDeps,
    readonly consumer: Consumer,
    readonly generation: Generation,
  ) {
    this.alone = new PageFollower(deps, consumer, generation);
  }

  wantsTurn(realmId: RealmId, head: number): boolean {
    if (this.parked.has(realmId) || (this.waits.get(realmId)?.until ?? 0) > this.deps.clock.now()) return false;
    const standing = this.standings.get(realmId);
    if (standing === undefined || standing.isDoubtful) return true;
    const { seen, end } = standing;
    return seen < head || (seen > head && end !== seen);
  }

  /** Whether the checkpoint must be read before anything is applied. */
  isDoubtful(realmId: RealmId): boolean {
    return this.standings.get(realmId)?.isDoubtful ?? true;
  }

  seen(realmId: RealmId): number {
    return this.standings.get(realmId)?.seen ?? 0;
  }

  /** Whether it has work for these events. Sometimes the work is to write its checkpoint only. */
  concerns(realmId: RealmId, events: readonly Recorded[]): boolean {
    if (events.some((event) => this.consumer.concerns(event))) return true;
    const standing = this.standings.get(realmId);
    const to = events.at(-1)?.position ?? 0;
    return standing !== undefined && (to - standing.stored >= LAZY_EVENTS || this.isLate(standing));
  }

  /** The checkpoint to write after events up to one. */
  moveTo(last: ReadEvent): Generation & CheckpointMove {
    const from = this.standings.get(last.realmId)?.stored ?? 0;
    return { ...this.generation, realmId: last.realmId, from, to: last.position, commandId: last.commandId };
  }

  /** Checkpoints to write of realms in which it only skipped events. */
  unwritten(isIdle: (realmId: RealmId) => boolean): (Generation & CheckpointMove)[] {
    return [...this.standings].flatMap(([realmId, { stored, seen, last, isDoubtful }]) =>
      last && seen > stored && !isDoubtful && !this.parked.has(realmId) && isIdle(realmId) ? [this.moveTo(last)] : [],
    );
  }

  /** No event up to this one concerns it. */
  pass(last: ReadEvent): void {
    const standing = this.standings.get(last.realmId);
    if (!standing) return;
    if (standing.seen === standing.stored) standing.lazySince = this.looks;
    standing.seen = last.position;
    standing.last = last;
  }

  /** Its checkpoint was written. */
  took({ realmId, to, commandId }: Pick<CheckpointMove, 'realmId' | 'to' | 'commandId'>): void {
    this.waits.delete(realmId);
    const standing = this.standings.get(realmId);
    const position = to as Position;
    if (standing) {
      standing.stored = to;
      if (standing.seen <= to) Object.assign(standing, { seen: to, last: { realmId, position, commandId } });
      standing.movedIn = this.looks;
    }
  }

  /** Applies events in a transaction of its own, and parks an event that cannot be applied. @throws temporary errors */
  async takeAlone(realmId: RealmId, events: readonly Recorded[]): Promise<void> {
    const { stored = 0 } = this.standings.get(realmId) ?? {};
    await this.settle(realmId, await this.alone.apply(realmId, stored, events));
  }

  /** Stops before an event that cannot be read. */
  async park(realmId: RealmId, unreadable: { readonly position: number; readonly cause: unknown }): Promise<void> {
    const { stored = 0 } = this.standings.get(realmId) ?? {};
    await this.settle(realmId, await this.alone.park(realmId, stored, unreadable.position, unreadable.cause));
  }

  /** It failed for a temporary reason, or it only has to wait: null. */
  wait(realmId: RealmId, error: unknown): void {
    const failures = (this.waits.get(realmId)?.failures ?? 0) + 1;
    const ms = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1));
    const until = (this.deps.clock.now() + ms) as Instant;
    this.waits.set(realmId, { failures, error: error === null ? null : messageOf(error), until });
  }

  /** The reason for which all waited has ended. */
  tryAgain(): void {
    this.waits.clear();
  }

  /** There was nothing to apply: the events are not visible yet, or this is the end of the log or beyond it. */
  async lookAtTheEnd(realmId: RealmId): Promise<void> {
    const { database, clock } = this.deps;
    const { checkpoint, head } = await standingOf(database.pool, this.generation, realmId);
    const before = this.standings.get(realmId);
    const standing = before?.stored === checkpoint ? before : await this.goOnFrom(realmId, checkpoint);
    const { seen } = standing;
    if (seen < head) {
      // An event may have been written after the page was read. Only if it is missing the second time, a pause is
      // needed.
      if (standing.unseen === seen) this.wait(realmId, null);
      else standing.unseen = seen;
    } else if (checkpoint <= head) {
      if (standing.last && seen > head) await this.deps.source.ensureContains(standing.last);
      standing.end = seen;
    } else {
      const error = `is at ${checkpoint}, but the log ends at ${head}: after a restore run "annals restored"`;
      const position = checkpoint as Position;
      const event = { ...this.generation, realmId, position, error, parkedAt: clock.now() };
      if (await database.transaction('BEGIN', (client) => park(client, event, position)))
        this.parked.set(realmId, event);
    }
  }

  /** @param read the last event of the page, if it could not be applied */
  async lookAgain(realmId: RealmId, read: ReadEvent | null): Promise<void> {
    const before = this.standings.get(realmId);
    if (read) await this.deps.source.ensureContains(read);
    const found = (await checkpointsOf(this.deps.database.pool, this.generation, realmId)).get(realmId);
    const checkpoint = found?.position ?? 0;
    const isUnmoved = before !== undefined && !before.isDoubtful && before.stored === checkpoint;
    await this.goOnFrom(realmId, checkpoint);
    // It was parked by another process, or is no longer live. The next read of the heads shows it.
    if (isUnmoved || found?.parked) this.wait(realmId, null);
  }

  /** A read of the heads begins. @returns a value for `found` */
  beginLook(): number {
    return ++this.looks;
  }

  /**
   * Applies the checkpoints that a read of the heads found. A crash removes a checkpoint without notice, and if the log
   * does not grow, only this read shows it.
   */
  found(look: number, realmId: RealmId, checkpoint: number): void {
    const standing = this.standings.get(realmId);
    if (standing === undefined) this.standings.set(realmId, newStanding(checkpoint, look));
    else if (checkpoint < standing.stored && standing.movedIn < look) standing.isDoubtful = true;
  }

  /** Another process has written the checkpoint, or parked the realm. */
  doubt(realmId: RealmId): void {
    const standing = this.standings.get(realmId);
    if (standing) standing.isDoubtful = true;
  }

  has(realmId: RealmId): boolean {
    return this.standings.has(realmId);
  }

  /** Forgets a realm that another process follows now. */
  release(realmId: RealmId): void {
    this.standings.delete(realmId);
    this.waits.delete(realmId);
  }

  get failing(): readonly { readonly realmId: RealmId; readonly error: string }[] {
    return [...this.waits].flatMap(([realmId, { error }]) => (error === null ? [] : [{ realmId, error }]));
  }

  private isLate({ seen, stored, lazySince }: Standing): boolean {
    return seen > stored && this.looks - lazySince >= LAZY_LOOKS;
  }

  private async settle(realmId: RealmId, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'parked') this.parked.set(realmId, outcome);
    else if (outcome.kind === 'overtaken') await this.lookAgain(realmId, outcome.last);
    else if (outcome.last) this.took({ realmId, to: outcome.position, commandId: outcome.last.commandId });
  }

  /**
   * PostgreSQL does not wait for the disk when a checkpoint is written, so a crash removes the last ones, together with
   * what was written with them. Both are made again. A restore also removes events, and after that nothing is applied
   * any more.
   * @throws Error if the log does not contain the last event that was seen
   */
  private async goOnFrom(realmId: RealmId, checkpoint: number): Promise<Standing> {
    const { last = null } = this.standings.get(realmId) ?? {};
    if (last && checkpoint < last.position) await this.deps.source.ensureContains(last);
    const standing = newStanding(checkpoint, this.looks, this.standings.get(realmId));
    this.standings.set(realmId, standing);
    return standing;
  }
}

const newStanding = (position: number, look: number, before?: Standing): Standing => ({
  stored: position,
  seen: position,
  last: null,
  movedIn: look,
  lazySince: look,
  isDoubtful: false,
  end: before?.end ?? -1,
  unseen: before?.unseen ?? -1,
});
