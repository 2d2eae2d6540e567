import { subjectOf, typesOf } from '@annals/audit';
import { Kernel, TypedPages, UnknownEventType } from '@annals/kernel';
import type { Position, Recorded } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ConsumerRow } from '../consumer-row';
import type { EventOnSubjects } from '../partition-keys';
import { isAboutOne, mainSubject, partitionKeys, subjectText } from '../partition-keys';
import { completedAt, endOf, idOf, offsetOf } from '../offsets';
import type { CloudEvent, ConsumerEvent, EventIdentity } from './cloud-event';
import { attributesOf, causationOf, consumerEvent } from './cloud-event';
import type { ConsumerPage, Reading } from './consumer-page';
import { SchemaAddress } from './schema-address';

/** Positions that are looked at for one page. */
const MOST_SCANNED = 65_536;
/** Stored bytes of the events of a page. */
const PAGE_BYTES = 4 * 1024 * 1024;

type Wanted = Pick<ConsumerRow, 'realmId' | 'types' | 'subjects' | 'words'>;

/** The events of the log themselves, for consumers of the view `domain`. */
@Injectable()
export class DomainEvents {
  private readonly pages: TypedPages;

  constructor(
    private readonly kernel: Kernel,
    private readonly address: SchemaAddress,
  ) {
    this.pages = new TypedPages(kernel.database.pool, kernel.registry);
  }

  async page(consumer: Wanted, { after, upTo, limit }: Reading): Promise<ConsumerPage> {
    const from = completedAt(after);
    const to = Math.min(completedAt(upTo), from + MOST_SCANNED) as Position;
    const request = { after: from, upTo: to, types: this.typesOf(consumer), limit, bytes: PAGE_BYTES };
    const { events, through } = await this.pages.page(consumer.realmId, request);
    const unknown = events.find(({ type }) => !this.kernel.registry.knows(type));
    const known = unknown ? events.filter(({ position }) => position < unknown.position) : events;
    return {
      events: await this.consumerEvents(consumer, known),
      through: endOf(unknown ? unknown.position - 1 : through),
      error: unknown ? new UnknownEventType(unknown.type) : null,
    };
  }

  /** The events at these positions, as far as the consumer wants them. */
  async at(consumer: Wanted, positions: readonly Position[]): Promise<ConsumerEvent[]> {
    const events = await this.kernel.events.at(consumer.realmId, positions);
    const types = this.typesOf(consumer);
    return this.consumerEvents(consumer, types ? events.filter(({ type }) => types.includes(type)) : events);
  }

  private typesOf({ types }: Pick<Wanted, 'types'>): readonly string[] | null {
    return types && typesOf(this.kernel.registry, types);
  }

  private async consumerEvents(consumer: Wanted, events: readonly Recorded[]): Promise<ConsumerEvent[]> {
    const { registry, database } = this.kernel;
    const subjects = consumer.subjects?.map((text) => subjectOf(registry, text)) ?? null;
    const about = events
      .map((event) => ({ event, subjects: registry.definition(event.type).subjects(event.data, event.position) }))
      .filter((one) => subjects === null || isAboutOne(one, subjects));
    const keys = await partitionKeys(this.kernel, about, database.pool);
    const schemas = await this.address.of(consumer.realmId);
    return about.map((one, n) => this.consumerEvent(consumer, one, { key: keys[n] ?? '', schemas }));
  }

  private consumerEvent(
    { realmId, words: wantsWords }: Wanted,
    about: EventOnSubjects,
    marks: EventMarks,
  ): ConsumerEvent {
    const { event } = about;
    const { type, position, actorId, correlation, causation } = event;
    const offset = offsetOf(position);
    const subject = mainSubject(about);
    const words = wordsOf(event, wantsWords);
    const cloudEvent: CloudEvent = {
      ...attributesOf(event, {
        id: idOf(realmId, 'domain', offset),
        type,
        version: this.kernel.registry.definition(type).v,
        subject: subject && subjectText(subject),
        ...marks,
      }),
      ...(actorId === null ? {} : { annalsactor: actorId }),
      annalscorrelation: correlation,
      ...(causation === null ? {} : { annalscausation: causationOf(causation) }),
      ...(words.state === null ? {} : { annalswords: words.state }),
      data: { facts: event.data, words: words.value },
    };
    return consumerEvent(offset, position, cloudEvent);
  }
}

/** What people wrote, or why it is missing. Events without words have none. */
function wordsOf({ sealed }: Recorded, isWanted: boolean): { readonly value: unknown; readonly state: WordsState } {
  if (sealed === null) return { value: null, state: null };
  if (sealed === 'erased') return { value: null, state: 'erased' };
  return isWanted ? { value: sealed, state: null } : { value: null, state: 'withheld' };
}

/** Its partition key, and where its schema is. */
type EventMarks = Pick<EventIdentity, 'key' | 'schemas'>;

type WordsState = 'erased' | 'withheld' | null;
