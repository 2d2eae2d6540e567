import { Injectable } from '@nestjs/common';
import type { ConsumerRow } from '../consumer-row';
import { ConsumerRights } from '../consumer-rights';
import type { LogOffset } from '../offsets';
import { positionOf } from '../offsets';
import { ClientEventsOfOwner } from './client-events-of-owner';
import type { ConsumerEvent } from './cloud-event';
import type { ConsumerPage, Reading } from './consumer-page';
import { DomainEvents } from './domain-events';

/** Its answer when the owner may not read what the consumer wants. */
export const REFUSED = 'refused';
export type Refused = typeof REFUSED;

/**
 * The events of consumers, read from the log. Whatever delivers events asks this class, so that every delivery has the
 * same events with the same ids. Rights are those of now, exact after the fence.
 */
@Injectable()
export class ConsumerReader {
  constructor(
    private readonly rights: ConsumerRights,
    private readonly domain: DomainEvents,
    private readonly client: ClientEventsOfOwner,
  ) {}

  /** A page of the events. It does a limited amount of work, so `through` may be before the head. */
  async page(consumer: ConsumerRow, reading: Reading): Promise<ConsumerPage | Refused> {
    const owner = await this.rights.reader(consumer);
    if (!owner) return REFUSED;
    if (reading.after >= reading.upTo) return { events: [], through: reading.after, error: null };
    return consumer.view === 'domain'
      ? this.domain.page(consumer, reading)
      : this.client.page(consumer, owner, reading);
  }

  /**
   * The events at these offsets. Those that the consumer no longer gets are left out.
   *
   * @param offsets ascending
   */
  async at(consumer: ConsumerRow, offsets: readonly LogOffset[]): Promise<ConsumerEvent[] | Refused> {
    const owner = await this.rights.reader(consumer);
    if (!owner) return REFUSED;
    if (offsets.length === 0) return [];
    return consumer.view === 'domain'
      ? this.domain.at(consumer, offsets.map(positionOf))
      : this.client.at(consumer, owner, offsets);
  }
}
