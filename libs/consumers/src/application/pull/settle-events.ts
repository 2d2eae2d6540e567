import { Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';
import type { ConsumerRow } from '../../read/consumer-row';
import type { LogOffset } from '../../read/offsets';
import { idOf, offsetIn } from '../../read/offsets';
import { LockedConsumers } from './locked-consumers';
import type { WhichParked } from './offer-rows';
import { replayParked, skipParked } from './offer-rows';
import { PullPolls } from './pull-polls';

/** Which events a worker acknowledges: some, or all up to one. */
export type Acknowledged = { readonly ids: readonly string[] } | { readonly through: string };

/** What becomes of an event that a worker could not handle. */
export const NACK_ACTIONS = ['retry', 'park', 'skip'] as const;
export type NackAction = (typeof NACK_ACTIONS)[number];

/** What a worker says about events that are leased to it (contract/feed.md section 4). */
@Injectable()
export class SettleEvents {
  constructor(
    private readonly kernel: Kernel,
    private readonly locked: LockedConsumers,
    private readonly polls: PullPolls,
  ) {}

  /**
   * Acknowledges events. All of them or none.
   *
   * @returns how many
   * @throws Rejected NOT_LEASED when one of the ids is not leased to the worker
   */
  async acknowledge(consumer: ConsumerRow, worker: string, asked: Acknowledged): Promise<number> {
    const count = await this.locked.change(consumer, async ({ offers }) => {
      const offsets =
        'ids' in asked ? distinct(consumer, asked.ids) : offers.leasedThrough(worker, endIn(consumer, asked));
      this.ensureLeased(consumer, offers.notLeased(worker, offsets));
      offers.acknowledge(offsets);
      return offsets.length;
    });
    this.polls.freed(consumer);
    return count;
  }

  /** @param afterMs how long a retry waits at least @throws Rejected NOT_LEASED */
  async refuse(consumer: ConsumerRow, worker: string, nack: Nack): Promise<void> {
    const { id, action, afterMs } = nack;
    await this.locked.change(consumer, async ({ offers }) => {
      const [offset = 0] = offsetsOf(consumer, [id]);
      this.ensureLeased(consumer, offers.notLeased(worker, [offset]));
      const now = this.kernel.clock.now();
      if (action === 'retry') offers.retry(offset, now, (now + afterMs) as Instant);
      else if (action === 'park') offers.park(offset, now);
      else offers.acknowledge([offset]);
    });
    this.polls.freed(consumer);
  }

  /** Lets parked events be offered again. @returns how many @throws Rejected BAD_REQUEST for an id that is not parked */
  replay(consumer: ConsumerRow, ids: readonly string[] | 'all'): Promise<number> {
    return this.changeParked(consumer, ids, (client, which) =>
      replayParked(client, consumer, which, this.kernel.clock.now()),
    );
  }

  /** Settles parked events. @returns how many @throws Rejected BAD_REQUEST for an id that is not parked */
  skip(consumer: ConsumerRow, ids: readonly string[] | 'all'): Promise<number> {
    return this.changeParked(consumer, ids, (client, which) => skipParked(client, consumer, which));
  }

  private async changeParked(
    consumer: ConsumerRow,
    ids: readonly string[] | 'all',
    change: (client: Parameters<typeof skipParked>[0], which: WhichParked) => Promise<number>,
  ): Promise<number> {
    const which = ids === 'all' ? ids : distinct(consumer, ids);
    const count = await this.locked.change(consumer, async ({ client }) => {
      const changed = await change(client, which);
      if (which !== 'all' && changed !== which.length) throw reject.notParked();
      return changed;
    });
    this.polls.freed(consumer);
    return count;
  }

  private ensureLeased({ realmId, view }: ConsumerRow, missing: readonly LogOffset[]): void {
    if (missing.length > 0) throw reject.notLeased({ ids: missing.map((offset) => idOf(realmId, view, offset)) });
  }
}

export interface Nack {
  readonly id: string;
  readonly action: NackAction;
  readonly afterMs: number;
}

/** @throws Rejected NOT_LEASED for a text that is no id of an event of the consumer */
function offsetsOf({ realmId, view }: ConsumerRow, ids: readonly string[]): LogOffset[] {
  return ids.map((id) => {
    const offset = offsetIn(realmId, id);
    if (offset === null || idOf(realmId, view, offset) !== id) throw reject.notLeased({ ids: [id] });
    return offset;
  });
}

const distinct = (consumer: ConsumerRow, ids: readonly string[]): LogOffset[] => [...new Set(offsetsOf(consumer, ids))];

function endIn({ realmId }: ConsumerRow, { through }: { readonly through: string }): LogOffset {
  const offset = offsetIn(realmId, through, { end: true });
  if (offset === null) throw reject.notLeased({ ids: [through] });
  return offset;
}
