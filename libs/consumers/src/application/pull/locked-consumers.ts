import { Kernel, KeyedLimit, Overloaded } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
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
/** A smaller advance without events is not stored at once: it is read again. */
const STORED_ADVANCE = 1_000 * 65_536;
/** After so long it is stored however small it is, so that the lag is right. */
const UNSTORED_MS = 5_000;

/** Changes the position and the offers of consumers, one transaction after the other. */
@Injectable()
export class LockedConsumers {
  private readonly each = new KeyedLimit(1);
  private readonly all = new KeyedLimit(AT_ONCE);
  /** When this process stored how far consumers have read. */
  private readonly storedAt = new Map<string, Instant>();

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
    if (advance > 0 && (isChanged || locked.isBehind || this.isDue(consumer, advance)))
      await saveReadTo(client, consumer, locked.readTo);
    return result;
  }

  private isDue({ realmId, id }: ConsumerRow, advance: number): boolean {
    const key = `${realmId}:${id}`;
    const now = this.kernel.clock.now();
    if (advance < STORED_ADVANCE && now - (this.storedAt.get(key) ?? 0) < UNSTORED_MS) return false;
    this.storedAt.set(key, now);
    return true;
  }
}
