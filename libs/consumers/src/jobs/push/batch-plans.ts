import { Kernel, KeyedLimit } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import type { LogOffset } from '../../read/offsets';
import { endOf } from '../../read/offsets';
import type { ConsumerEvent } from '../../read/reading/cloud-event';
import { ConsumerReader, REFUSED } from '../../read/reading/consumer-reader';
import type { PushedConsumer, StoredBatch } from './batch-rows';

/** Characters of the events of a batch, unless one alone has more. */
const MOST_CHARACTERS = 1_048_576;
/** Pages that are read in search of the next event before another consumer has its turn. */
const MOST_PAGES = 8;
/** Consumers for which one process reads at a time. */
const AT_ONCE = 4;

/** The next events of a consumer: all that it gets up to `through`. */
export interface PlannedBatch {
  readonly events: readonly ConsumerEvent[];
  readonly through: LogOffset;
  /** Only a newer release knows the next event. */
  readonly isStopped: boolean;
}

/** Reads what is sent next. */
@Injectable()
export class BatchPlans {
  private readonly reading = new KeyedLimit(AT_ONCE);

  constructor(
    private readonly kernel: Kernel,
    private readonly reader: ConsumerReader,
  ) {}

  /** The events of a batch that was stored, as far as the consumer still gets them. */
  again(consumer: PushedConsumer, { offsets }: StoredBatch): Promise<readonly ConsumerEvent[] | typeof REFUSED> {
    return this.reading.run('', () => this.reader.at(consumer, offsets));
  }

  /** The events of the next request. It may end before the head without any. */
  async next(consumer: PushedConsumer, after: LogOffset, upTo: LogOffset): Promise<PlannedBatch | typeof REFUSED> {
    const limit = consumer.push.most;
    let through = after;
    for (let pages = 0; pages < MOST_PAGES && through < upTo; pages += 1) {
      const from = through;
      const page = await this.reading.run('', () => this.reader.page(consumer, { after: from, upTo, limit }));
      if (page === REFUSED) return REFUSED;
      const events = fitting(page.events.slice(0, limit));
      const last = events.at(-1);
      if (last) return { events, through: afterEvent(consumer, last), isStopped: false };
      through = page.through;
      if (page.error || through <= from) {
        const { realmId, id } = consumer;
        const where = { err: page.error, realm: realmId, consumer: id, offset: through };
        this.kernel.options.log.error(where, 'an event cannot be sent: the consumer waits for a newer release');
        return { events: [], through, isStopped: true };
      }
    }
    return { events: [], through, isStopped: false };
  }
}

/** The first events that fit in a request. */
function fitting(events: readonly ConsumerEvent[]): readonly ConsumerEvent[] {
  let room = MOST_CHARACTERS;
  const beyond = events.findIndex(({ json }, n) => (room -= json.length) < 0 && n > 0);
  return beyond < 0 ? events : events.slice(0, beyond);
}

/** An event of the log is alone at its position. A client event is not. */
const afterEvent = ({ view }: PushedConsumer, { offset, position }: ConsumerEvent): LogOffset =>
  view === 'domain' ? endOf(position) : offset;
