import { rfc3339 } from '@annals/audit';
import { Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { WebhookAttempt } from '../../domain/webhook/attempt';
import type { ConsumerRow } from '../consumer-row';

/** Requests that are kept of each consumer (contract/feed.md section 6). */
export const KEPT_DELIVERIES = 1_000;

/** A request to a webhook that has ended. */
export interface WebhookDelivery extends Pick<WebhookAttempt, 'status' | 'ms' | 'answer'> {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly at: Instant;
  /** 1 for the first one with the same events. */
  readonly attempt: number;
}

/** The last requests to webhooks. */
@Injectable()
export class DeliveryHistory {
  constructor(private readonly kernel: Kernel) {}

  /** The newest first. */
  async list({ realmId, id }: Pick<ConsumerRow, 'realmId' | 'id'>): Promise<WebhookDelivery[]> {
    const { rows } = await this.kernel.database.pool.query<WebhookDelivery>({
      name: 'consumers-deliveries',
      text: `SELECT message_id AS id, at, attempt, status, ms, answer FROM consumer_deliveries
        WHERE realm_id = $1 AND consumer_id = $2 ORDER BY number DESC`,
      values: [realmId, id],
    });
    return rows;
  }
}

/** contract/feed.md section 6 */
export const presentDelivery = ({ at, ...delivery }: WebhookDelivery) => ({ ...delivery, at: rfc3339(at) });
