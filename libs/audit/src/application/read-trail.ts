import type { TrailRange, TrailOrder } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { AuditRead } from '../domain/audit-reads';
import { Auditing } from '../read/auditing';
import { trailCursorOf, spanAt } from '../read/trail/cursor';
import { guestEntry, ownEntry } from '../read/trail/own-entry';
import { TrailEntries } from '../read/trail/trail-entries';
import type { TrailEntry, TrailRights } from '../read/trail/trail-entry';
import type { AskedTrail } from '../read/trail/trail-pages';
import { TrailPages } from '../read/trail/trail-pages';
import type { TrailQuestion } from '../read/trail/trail-question';
import { AuditReads } from './audit-reads';

/** Which page of the trail is wanted. */
export interface Paging {
  readonly order: TrailOrder;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of the trail, as it is answered. */
export interface AnsweredPage {
  readonly events: readonly TrailEntry[];
  readonly next_cursor: string | null;
  readonly head: number;
}

/** Entries of a whole trail that are made at once. */
const STREAM_PAGE = 200;

/** Reads the history for accounts that may, and records that they did (contract/audit.md section 2). */
@Injectable()
export class ReadTrail {
  constructor(
    private readonly auditing: Auditing,
    private readonly pages: TrailPages,
    private readonly entries: TrailEntries,
    private readonly reads: AuditReads,
  ) {}

  /** @throws Rejected UNAUTHORIZED_AUDIT, and as `TrailPages.asked` does */
  async events(
    by: Actor,
    question: TrailQuestion,
    paging: Paging,
    read: Pick<AuditRead, 'endpoint' | 'parameters'>,
  ): Promise<AnsweredPage> {
    const rights = await this.auditing.rights(by);
    const asked = await this.pages.asked(by.realmId, question);
    const page = await this.page(by, asked, paging, rights);
    await this.reads.record(by, { ...read, results: page.events.length, words: rights.words === 'all' });
    return page;
  }

  /** What the account did, and what was done to it. */
  async own(by: Actor, question: TrailQuestion, paging: Paging): Promise<AnsweredPage> {
    const { filter, ...asked } = await this.pages.asked(by.realmId, question);
    const rights = await this.auditing.ownRights(by);
    const page = await this.page(by, { ...asked, filter: { ...filter, account: by.userId } }, paging, rights);
    const isGuest = await this.auditing.isRestricted(by);
    const own = page.events.map((entry) => ownEntry(entry, by.userId));
    return { ...page, events: isGuest ? own.map((entry) => this.forGuest(entry, by)) : own };
  }

  /**
   * All entries, oldest first, up to the head at the beginning. It reads on when its pages are taken, and holds no
   * connection between them.
   *
   * @param gone ends the reading, also while nothing is found
   * @throws Rejected as `events` does, before the first page
   */
  async all(
    by: Actor,
    question: TrailQuestion,
    read: Pick<AuditRead, 'endpoint' | 'parameters'>,
    gone: AbortSignal,
  ): Promise<{ readonly head: number; readonly pages: AsyncGenerator<readonly TrailEntry[]> }> {
    const rights = await this.auditing.rights(by);
    const asked = await this.pages.asked(by.realmId, question);
    await this.reads.record(by, { ...read, results: null, words: rights.words === 'all' });
    return { head: asked.head, pages: this.following(by, asked, rights, gone) };
  }

  private async *following(
    by: Actor,
    asked: AskedTrail,
    rights: TrailRights,
    gone: AbortSignal,
  ): AsyncGenerator<readonly TrailEntry[]> {
    const paging = { order: 'oldest', limit: STREAM_PAGE } as const;
    for (let span: TrailRange | null = asked.span; span && !gone.aborted;) {
      const { entries, rest } = await this.pages.page(by.realmId, { ...asked, span }, paging, rights);
      if (entries.length > 0) yield entries;
      span = rest;
    }
  }

  private async page(by: Actor, asked: AskedTrail, paging: Paging, rights: TrailRights): Promise<AnsweredPage> {
    const span = spanAt(asked.span, paging.cursor, paging.order);
    const { entries, rest } = await this.pages.page(by.realmId, { ...asked, span }, paging, rights);
    return { events: entries, next_cursor: trailCursorOf(rest, paging.order), head: asked.head };
  }

  private forGuest(entry: TrailEntry, { userId }: Actor): TrailEntry {
    return guestEntry(entry, userId, this.entries.descriptions.get(entry.type)?.meaning ?? '');
  }
}
