import { Kernel, Moments, feedReader } from '@annals/kernel';
import type { Actor, Instant, MessageId, Moment, Position } from '@annals/kernel/domain';
import type { PastReader } from '@annals/messages';
import { readPastAudience } from '@annals/messages';
import { Injectable } from '@nestjs/common';
import { Auditing } from '../read/auditing';
import { LifePages } from '../read/life/life-pages';
import type { Thing, ThingState } from '../read/life/things';
import { Things } from '../read/life/things';
import { trailCursorOf, spanAt } from '../read/trail/cursor';
import { TrailEntries } from '../read/trail/trail-entries';
import type { TrailEntry } from '../read/trail/trail-entry';
import { AuditReads } from './audit-reads';

/** A page of the life of a thing, as it is answered. */
export interface AnsweredLife {
  readonly subject: string;
  readonly state: ThingState;
  readonly events: readonly TrailEntry[];
  readonly next_cursor: string | null;
}

/** The users who could read a message at a position. */
export interface AnsweredAudience {
  readonly readers: readonly PastReader[];
  readonly position: Position;
}

/** Reads the life of a thing for accounts that may, and records that they did (contract/audit.md section 3). */
@Injectable()
export class ReadLife {
  constructor(
    private readonly kernel: Kernel,
    private readonly moments: Moments,
    private readonly auditing: Auditing,
    private readonly things: Things,
    private readonly pages: LifePages,
    private readonly entries: TrailEntries,
    private readonly reads: AuditReads,
  ) {}

  /** @throws Rejected UNAUTHORIZED_AUDIT, or BAD_REQUEST for a thing that never existed */
  async page(
    by: Actor,
    thing: Thing,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<AnsweredLife> {
    const { realmId } = by;
    const rights = await this.auditing.rights(by);
    const { state, deletedAt } = await this.things.find(realmId, thing);
    const head = (await this.kernel.events.heads([realmId])).get(realmId) ?? 0;
    const span = spanAt({ after: 0, upTo: head }, cursor, 'oldest');
    const { events, rest } = await this.pages.page(realmId, { thing, deletedAt }, span, limit);
    const entries = await this.entries.of(realmId, events, rights);
    await this.reads.record(by, {
      endpoint: `GET /audit/${thing.kind}s/{${thing.kind}_id}`,
      parameters: { [`${thing.kind}_id`]: thing.id },
      results: entries.length,
      words: rights.words === 'all',
    });
    return {
      subject: `${thing.kind}:${thing.id}`,
      state,
      events: entries,
      next_cursor: trailCursorOf(rest, 'oldest'),
    };
  }

  /**
   * The users who could read a message at a moment. Without one it is now.
   *
   * @throws Rejected UNAUTHORIZED_AUDIT, BAD_MOMENT, or BAD_REQUEST for a message that never existed
   */
  async audience(by: Actor, id: MessageId, moment: Moment | undefined): Promise<AnsweredAudience> {
    const { realmId } = by;
    const rights = await this.auditing.rights(by);
    await this.things.find(realmId, { kind: 'message', id });
    const head = (await this.kernel.events.heads([realmId])).get(realmId) ?? (0 as Position);
    const resolved = await this.moments.resolve(realmId, moment ?? { position: head });
    // New members become full members by time alone.
    const at =
      moment === undefined ? this.kernel.clock.now() : 'time' in moment ? moment.time : (resolved.at ?? (0 as Instant));
    const readers = await this.kernel.database.snapshot((client) =>
      readPastAudience(feedReader(this.kernel.events, realmId, client), id, { position: resolved.position, at }),
    );
    await this.reads.record(by, {
      endpoint: 'GET /audit/messages/{message_id}/audience',
      parameters: { message_id: id, ...(moment && { as_of: resolved.position }) },
      results: readers.length,
      words: rights.words === 'all',
    });
    return { readers, position: resolved.position };
  }
}
