import { CoalescedRuns, Kernel, Repeated } from '@annals/kernel';
import type { RealmId, Recorded, UserId } from '@annals/kernel/domain';
import type { Deactivated, OwnSettingsChanged, ProfileDeleted } from '@annals/users/events';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { KnownPresences } from '../read/known-presences';
import type { PresenceOwner } from '../read/presence-rows';
import { deletePresences, keyOf, readPresences, writePresences } from '../read/presence-rows';
import type { PresenceMark } from './ended-presences';
import { EndedPresences } from './ended-presences';

/** From one batch to the next, and the longest time that pings at other processes are not seen. */
const BATCH_MS = 1_000;
/** After this time without a request, a process forgets a realm. */
const IDLE_MS = 600_000;

/**
 * The presences of all realms in this process. Pings are written in batches, and the pings of other processes are read
 * from the table, at most once a second for a realm (decision 53).
 */
@Injectable()
export class Presences implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly realms = new Map<RealmId, KnownPresences>();
  private readonly ended = new EndedPresences();
  private readonly reads = new CoalescedRuns<RealmId>((realmId) => this.read(realmId));
  private readonly writes = new CoalescedRuns<'all'>(() => this.writeAll());
  private readonly batches = new Repeated(BATCH_MS, () => this.writeSafely());

  constructor(private readonly kernel: Kernel) {
    kernel.tail.listen((realmId, events) => {
      if (events === null) this.reset(realmId);
      else for (const event of events) this.follow(realmId, event);
    });
  }

  /** In the past nobody is present. */
  onApplicationBootstrap(): void {
    if (!this.kernel.isPast) this.batches.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.batches.stop();
    await this.writeSafely();
  }

  /** The presences of a realm, with all pings at this process, and those at others until a second ago. */
  async of(realmId: RealmId): Promise<KnownPresences> {
    const known = this.known(realmId);
    if (this.kernel.isPast) return known;
    const age = this.kernel.clock.now() - (known.readAt ?? -Infinity);
    if (age >= 0 && age < BATCH_MS) return known;
    await this.reads.run(realmId);
    const read = this.known(realmId);
    // The log skipped events meanwhile, so what was read is forgotten.
    return read.readAt === null ? this.of(realmId) : read;
  }

  /** Now, for `endedSince`. */
  mark(): PresenceMark {
    return this.ended.mark();
  }

  /** Whether the presence of a user ended after the mark. */
  endedSince(mark: PresenceMark, owner: PresenceOwner): boolean {
    return this.ended.since(mark, owner);
  }

  /**
   * Writes all pings of this process, one batch at a time.
   *
   * @throws when PostgreSQL cannot be reached; then they are written later
   */
  write(): Promise<void> {
    return this.writes.run('all');
  }

  private async writeAll(): Promise<void> {
    const toDelete = this.ended.toDelete();
    if (toDelete.length > 0) await deletePresences(this.kernel.database.pool, toDelete);
    this.ended.deleted(toDelete);
    await this.writePings();
    this.forgetIdle();
  }

  private async writePings(): Promise<void> {
    const mark = this.ended.mark();
    const pings = [...this.realms].flatMap(([realmId, known]) =>
      [...known.unwritten()].map(([userId, presence]) => ({ realmId, userId, presence })),
    );
    if (pings.length === 0) return;
    const sent = pings.map(({ presence, ...owner }) => ({ ...owner, ...presence }));
    const rows = new Map((await writePresences(this.kernel.database.pool, sent)).map((row) => [keyOf(row), row]));
    for (const ping of pings) {
      const row = rows.get(keyOf(ping));
      const isGone = this.ended.since(mark, ping);
      // The table may have the row of a user who left while it was written.
      if (row && isGone) this.ended.mayRemain(ping);
      this.realms.get(ping.realmId)?.written(ping, isGone ? undefined : row);
    }
  }

  private known(realmId: RealmId): KnownPresences {
    const known = this.realms.get(realmId) ?? new KnownPresences();
    this.realms.set(realmId, known);
    return known;
  }

  private async read(realmId: RealmId): Promise<void> {
    const known = this.known(realmId);
    const at = this.kernel.clock.now();
    const mark = this.ended.mark();
    const rows = await readPresences(this.kernel.database.pool, realmId, known.head);
    known.read(rows, at, (row) => !this.ended.since(mark, row));
  }

  private async writeSafely(): Promise<void> {
    try {
      await this.write();
    } catch (err) {
      this.kernel.options.log.warn({ err }, 'presences could not be written; trying again in a second');
    }
  }

  private follow(realmId: RealmId, event: Recorded): void {
    const userId = hiddenBy(event);
    if (userId === null) return;
    this.realms.get(realmId)?.forget(userId);
    this.ended.add({ realmId, userId });
  }

  /** Events were skipped: an account may have been deactivated. */
  private reset(realmId: RealmId): void {
    const known = this.realms.get(realmId);
    if (!known) return;
    const fresh = new KnownPresences();
    for (const [userId, ping] of known.unwritten()) fresh.ping(userId, ping);
    this.realms.set(realmId, fresh);
  }

  private forgetIdle(): void {
    const since = this.kernel.clock.now() - IDLE_MS;
    for (const [realmId, known] of this.realms) {
      if (known.unwritten().size === 0 && (known.readAt ?? 0) < since) this.realms.delete(realmId);
    }
  }
}

/** The user whose presence nobody may see after an event. */
function hiddenBy(event: Recorded): UserId | null {
  if (isDeparture(event)) return event.data.userId;
  return isAboutSettings(event) && event.data.settings.presence_enabled === false ? event.data.userId : null;
}

const isDeparture = (event: Recorded): event is Recorded<Deactivated | ProfileDeleted> =>
  event.type === 'users.Deactivated' || event.type === 'users.ProfileDeleted';

const isAboutSettings = (event: Recorded): event is Recorded<OwnSettingsChanged> =>
  event.type === 'users.OwnSettingsChanged';
