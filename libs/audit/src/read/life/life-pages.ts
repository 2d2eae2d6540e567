import type { TrailRange, TrailFilter } from '@annals/kernel';
import { EventTrail, Kernel } from '@annals/kernel';
import type { MessageId, Position, RealmId, Recorded, Subject } from '@annals/kernel/domain';
import { readPlacements } from '@annals/messages';
import { Injectable } from '@nestjs/common';
import type { Thing } from './things';

/** Events of a life, oldest first, and what was not looked at; null when there is nothing left. */
export interface LifePage {
  readonly events: readonly Recorded[];
  readonly rest: TrailRange | null;
}

/** Events that belong to a life, within a part of the log. */
interface Source {
  readonly filter: TrailFilter;
  readonly span: TrailRange;
}

/** Moves of a whole topic name the topic and none of its messages. */
const TOPIC_MOVES = ['messages.TopicMoved'];
const LAST = Number.MAX_SAFE_INTEGER;

/** All events about one thing (contract/audit.md section 3). */
@Injectable()
export class LifePages {
  constructor(
    private readonly kernel: Kernel,
    private readonly trail: EventTrail,
  ) {}

  /**
   * One page. It may have fewer events than were asked for, or none, while there are more.
   *
   * @param deletedAt position of the deletion of the thing. The event that erases its text names only this position
   */
  async page(
    realmId: RealmId,
    { thing, deletedAt }: { readonly thing: Thing; readonly deletedAt: Position | null },
    span: TrailRange,
    limit: number,
  ): Promise<LifePage> {
    const sources = await this.sourcesOf(realmId, thing);
    const pages = await Promise.all(
      sources.map(async (source) => {
        const part = { after: Math.max(source.span.after, span.after), upTo: Math.min(source.span.upTo, span.upTo) };
        if (part.after >= part.upTo) return { events: [], rest: null };
        return this.trail.page(realmId, { filter: source.filter, span: part, order: 'oldest', limit });
      }),
    );
    // Up to here all sources were looked through.
    const known = Math.min(span.upTo, ...pages.flatMap(({ rest }) => rest?.after ?? []));
    const found = [
      ...pages.flatMap(({ events }) => events.map(({ event }) => event)),
      ...(await this.erasure(realmId, deletedAt)),
    ];
    const events = [...new Map(found.map((event) => [event.position, event])).values()]
      .filter(({ position }) => span.after < position && position <= known)
      .sort((a, b) => a.position - b.position);
    const taken = events.slice(0, limit);
    const after = taken.length < events.length ? (taken.at(-1)?.position ?? span.after) : known;
    return { events: taken, rest: after < span.upTo ? { after, upTo: span.upTo } : null };
  }

  private async sourcesOf(realmId: RealmId, { kind, id }: Thing): Promise<Source[]> {
    const whole = { after: 0, upTo: LAST };
    const about = (subject: Subject, types?: readonly string[]) => ({ subject, ...(types && { types }) });
    const own = { filter: about([kind, id]), span: whole };
    if (kind !== 'message') return [own];
    const message = id as MessageId;
    const placements = await readPlacements(this.kernel.database.pool, realmId, [message]);
    const topics = placements.topicsOf(message);
    return [
      own,
      ...topics.map(({ since, topicId }, n) => ({
        filter: about(['topic', topicId], TOPIC_MOVES),
        span: { after: Math.max(since, id), upTo: topics[n + 1]?.since ?? LAST },
      })),
    ];
  }

  /** The event that ended the erasure of a deleted thing, if it is over. */
  private async erasure(realmId: RealmId, deletedAt: Position | null): Promise<readonly Recorded[]> {
    return deletedAt === null ? [] : this.kernel.events.stream(realmId, `erasure-${deletedAt}`);
  }
}
