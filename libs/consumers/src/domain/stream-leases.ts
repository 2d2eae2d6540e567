import type { Instant } from '@annals/kernel/domain';
import { isStreamOf } from './holder';
import type { Offer, Offers } from './offers';

/**
 * The leases of streams (contract/feed.md section 5). A stream sends its events in the order of `since`, and of one answer
 * in the order of the log. So who has received one of them has received those before it. Pure, like the offers.
 */
export class StreamLeases {
  constructor(private readonly offers: Offers) {}

  /** The leases of a living stream end later. */
  prolong(holder: string, until: Instant): void {
    for (const offer of this.leasedTo(holder)) this.offers.replace({ ...offer, until });
  }

  /**
   * A stream has ended. Its events are given back, which is no failed attempt. They keep their holder, so that the next
   * stream of the worker can still acknowledge them, and gets them at once. Other workers get them after a time.
   */
  release(holder: string, until: Instant): void {
    for (const offer of this.leasedTo(holder)) this.offers.replace({ ...offer, state: 'waiting', until });
  }

  /**
   * A stream of a worker begins. Acknowledges what an earlier one had sent up to an event. The rest may be offered at once.
   *
   * @param received the last event that the worker has received. Null if it does not say
   */
  resume(worker: string, received: number | null, now: Instant): void {
    const earlier = this.offers.where(({ state, worker: holder }) => state !== 'parked' && isStreamOf(holder, worker));
    const last = earlier.find(({ offset }) => offset === received);
    for (const offer of earlier) {
      if (last && wasSentBefore(offer, last)) this.offers.acknowledge([offer.offset]);
      else if (offer.state === 'leased' || offer.until > now)
        this.offers.replace({ ...offer, state: 'waiting', until: now });
    }
  }

  private leasedTo(holder: string): Offer[] {
    return this.offers.where(({ state, worker }) => state === 'leased' && worker === holder);
  }
}

/** Also of the last one itself. Only of events of one stream the order is known. */
const wasSentBefore = (one: Offer, last: Offer): boolean =>
  one.worker === last.worker && (one.since < last.since || (one.since === last.since && one.offset <= last.offset));
