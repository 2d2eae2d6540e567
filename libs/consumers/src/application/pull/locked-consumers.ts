import { Kernel, KeyedLimit, Overloaded } from '@annals/kernel';
import { readOnlyPast } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { Offers } from '../../domain/offers';
import type { ConsumerRow } from '../../read/consumer-row';
import type { LogOffset } from '../../read/offsets';
import { lockPosition, readOffers, saveOffers, saveReadTo } from './offer-rows';

/** A consumer that nobody else changes until the end of the transaction. */
export interface LockedConsumer {
  readonly client: ClientBase;
  readonly offers: Offers;
  /** How far it has read. */
  readTo: LogOffset;
  /** Whether it continues there at once, so that it has to be stored. */
  isBehind: boolean;
}

/** Transactions of one process that hold a consumer and need further connections. */
const AT_ONCE = 4;
/** A smaller advance without events is not stored: it is read again. */
const STORED_ADVANCE = 1_000 * 65_536;

/** Changes the position and the offers of consumers, one transaction after the other. */
@Injectable()
export class LockedConsumers {
  private readonly each = new KeyedLimit(1);
  private readonly all = new KeyedLimit(AT_ONCE);

  constructor(private readonly kernel: Kernel) {}

  /** Runs a change and stores it. It is durable when this resolves. @throws Overloaded when it was rewound meanwhile, Rejected READ_ONLY_PAST */
  async change<T>(consumer: ConsumerRow, run: (locked: LockedConsumer) => Promise<T>): Promise<T> {
    if (this.kernel.isPast) throw readOnlyPast();
    return this.each.run(`${consumer.realmId}:${consumer.id}`, () =>
      this.all.run('', () => this.kernel.database.transaction('BEGIN', (client) => this.within(consumer, run, client))),
    );
  }

  private async within<T>(
    consumer: ConsumerRow,
    run: (locked: LockedConsumer) => Promise<T>,
    client: ClientBase,
  ): Promise<T> {
    const readTo = await lockPosition(client, consumer);
    if (readTo === null) throw new Overloaded('the consumer was rewound meanwhile; please try again');
    const locked: LockedConsumer = {
      client,
      offers: new Offers(await readOffers(client, consumer)),
      readTo,
      isBehind: false,
    };
    const result = await run(locked);
    const isChanged = await saveOffers(client, consumer, locked.offers.changes());
    const advance = locked.readTo - readTo;
    const isStored = isChanged || locked.isBehind || advance >= STORED_ADVANCE;
    if (advance > 0 && isStored) await saveReadTo(client, consumer, locked.readTo);
    return result;
  }
}
