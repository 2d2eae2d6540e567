import type { ReceivedEvent } from '@annals/feed';
import { AccountEvents } from '@annals/feed';
import { subjectOf } from '@annals/audit';
import { Kernel } from '@annals/kernel';
import type { Actor, Position } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ConsumerRow } from '../consumer-row';
import type { EventOnSubjects } from '../partition-keys';
import { isAboutOne, mainSubject, partitionKeys, subjectText } from '../partition-keys';
import { endOf, idOf, positionOf } from '../offsets';
import type { LogOffset } from '../offsets';
import { CLIENT_VERSION, attributesOf, consumerEvent } from './cloud-event';
import type { ConsumerEvent, EventIdentity } from './cloud-event';
import type { ConsumerPage, Reading } from './consumer-page';
import { SchemaAddress } from './schema-address';

type Wanted = Pick<ConsumerRow, 'realmId' | 'types' | 'subjects'>;

/** The client events that the owner would get from a queue, for consumers of the view `client`. */
@Injectable()
export class ClientEventsOfOwner {
  constructor(
    private readonly kernel: Kernel,
    private readonly accounts: AccountEvents,
    private readonly address: SchemaAddress,
  ) {}

  async page(consumer: Wanted, owner: Actor, { after, upTo, limit }: Reading): Promise<ConsumerPage> {
    const head = (await this.kernel.events.heads([consumer.realmId])).get(consumer.realmId) ?? (0 as Position);
    const reading = { types: consumer.types, after, head };
    const { events, through, error } = await this.accounts.page(owner, reading);
    const found = (await this.consumerEvents(consumer, events)).filter(
      ({ offset }) => offset > after && offset <= upTo,
    );
    const beyond = found[limit];
    const end = beyond ? (found[limit - 1]?.offset ?? after) : Math.min(endOf(through), upTo);
    return { events: beyond ? found.slice(0, limit) : found, through: Math.max(after, end), error };
  }

  /** The events at these offsets, as far as the owner still gets them. @param offsets ascending */
  async at(consumer: Wanted, owner: Actor, offsets: readonly LogOffset[]): Promise<ConsumerEvent[]> {
    return this.consumerEvents(consumer, await this.accounts.at(owner, consumer.types, offsets));
  }

  private async consumerEvents(consumer: Wanted, events: readonly ReceivedEvent[]): Promise<ConsumerEvent[]> {
    const { registry, database } = this.kernel;
    const subjects = consumer.subjects?.map((text) => subjectOf(registry, text)) ?? null;
    const found = events.flatMap(({ event, cause }) => {
      const about = { event: cause, subjects: registry.definition(cause.type).subjects(cause.data, cause.position) };
      const isWanted = subjects === null || isAboutOne(about, subjects);
      return isWanted ? [{ event, about }] : [];
    });
    const keys = await partitionKeys(
      this.kernel,
      found.map(({ about }) => about),
      database.pool,
    );
    const schemas = await this.address.of(consumer.realmId);
    return found.map(({ event, about }, n) => eventOf(event, about, { key: keys[n] ?? '', schemas }));
  }
}

function eventOf(
  event: ReceivedEvent['event'],
  about: EventOnSubjects,
  marks: Pick<EventIdentity, 'key' | 'schemas'>,
): ConsumerEvent {
  const { event: cause } = about;
  const subject = mainSubject(about);
  return consumerEvent(event.id, positionOf(event.id), {
    ...attributesOf(cause, {
      id: idOf(cause.realmId, 'client', event.id),
      type: `client.${event.type}`,
      version: CLIENT_VERSION,
      subject: subject && subjectText(subject),
      ...marks,
    }),
    annalscorrelation: cause.correlation,
    data: event,
  });
}
