import type { TrailRange, TrailFilter, TrailOrder } from '@annals/kernel';
import { EventTrail, Kernel, Moments } from '@annals/kernel';
import type { Moment, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { TrailEntries } from './trail-entries';
import type { TrailEntry, TrailRights } from './trail-entry';
import type { TrailQuestion } from './trail-question';
import { filterOf } from './trail-question';

/** A part of the history that was asked for. */
export interface AskedTrail {
  readonly filter: TrailFilter;
  readonly span: TrailRange;
  /** The newest position of the organization when it was asked. */
  readonly head: number;
}

/** Entries in the order of the trail, and what was not looked at; null when there is nothing left. */
export interface EntryPage {
  readonly entries: readonly TrailEntry[];
  readonly rest: TrailRange | null;
}

/** Pages of the trail, as readers may see them. */
@Injectable()
export class TrailPages {
  constructor(
    private readonly kernel: Kernel,
    private readonly moments: Moments,
    private readonly trail: EventTrail,
    private readonly entries: TrailEntries,
  ) {}

  /** @throws Rejected BAD_MOMENT, BAD_SUBJECT, or BAD_REQUEST as `filterOf` does */
  async asked(realmId: RealmId, question: TrailQuestion): Promise<AskedTrail> {
    const filter = filterOf(this.kernel.registry, question);
    const { from, to } = question;
    const [after, upTo] = await Promise.all([this.position(realmId, from), this.position(realmId, to)]);
    const head = (await this.kernel.events.heads([realmId])).get(realmId) ?? 0;
    return { filter, head, span: { after: after ?? 0, upTo: Math.min(upTo ?? head, head) } };
  }

  /** One page. It may have fewer entries than were asked for, or none, while there are more. */
  async page(
    realmId: RealmId,
    { filter, span }: Pick<AskedTrail, 'filter' | 'span'>,
    { order, limit }: { readonly order: TrailOrder; readonly limit: number },
    rights: TrailRights,
  ): Promise<EntryPage> {
    const { events, rest } = await this.trail.page(realmId, { filter, span, order, limit });
    const found = events.map(({ event }) => event);
    return { entries: await this.entries.of(realmId, found, rights), rest };
  }

  private async position(realmId: RealmId, moment: Moment | undefined): Promise<number | undefined> {
    return moment === undefined ? undefined : (await this.moments.resolve(realmId, moment)).position;
  }
}
