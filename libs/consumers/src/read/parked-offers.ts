import { Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { ConsumerRights } from './consumer-rights';
import type { ConsumerRow } from './consumer-row';
import type { LogOffset } from './offsets';
import { idOf } from './offsets';
import type { CloudEvent } from './reading/cloud-event';
import { ConsumerReader, REFUSED } from './reading/consumer-reader';

/** An event that failed too often, or that a worker parked. */
export interface ParkedOffer {
  readonly id: string;
  /** Null if the consumer no longer gets it. */
  readonly event: CloudEvent | null;
  readonly attempts: number;
  readonly since: Instant;
}

/** Reads what is parked (contract/feed.md section 4). */
@Injectable()
export class ParkedOffers {
  constructor(
    private readonly kernel: Kernel,
    private readonly rights: ConsumerRights,
    private readonly reader: ConsumerReader,
  ) {}

  /** The oldest ones. @throws Rejected UNAUTHORIZED_AUDIT when the owner may not read them */
  async list(consumer: ConsumerRow, limit: number): Promise<ParkedOffer[]> {
    const { realmId, id, view, began } = consumer;
    await this.rights.ensure(consumer);
    const { rows } = await this.kernel.database.pool.query<{ offset: LogOffset; attempts: number; since: Instant }>({
      name: 'consumers-parked',
      text: `SELECT event_offset AS "offset", attempts, since FROM consumer_offers AS o WHERE o.realm_id = $1 AND o.consumer_id = $2
          AND state = 'parked' AND EXISTS (SELECT FROM consumer_positions AS p
            WHERE p.realm_id = $1 AND p.consumer_id = $2 AND p.began = $3)
        ORDER BY event_offset LIMIT $4`,
      values: [realmId, id, began, limit],
    });
    const read = await this.reader.at(
      consumer,
      rows.map(({ offset }) => offset),
    );
    const events = new Map(read === REFUSED ? [] : read.map(({ offset, cloudEvent }) => [offset, cloudEvent]));
    return rows.map(({ offset, attempts, since }) => ({
      id: idOf(realmId, view, offset),
      event: events.get(offset) ?? null,
      attempts,
      since,
    }));
  }
}
