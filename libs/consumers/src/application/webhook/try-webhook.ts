import { randomUUID } from 'node:crypto';
import { rfc3339 } from '@annals/audit';
import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { readOnlyPast } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';
import { ConsumerFacts } from '../../read/consumer-facts';
import type { ConsumerRow } from '../../read/consumer-row';
import { sourceOf } from '../../read/reading/cloud-event';
import type { WebhookDelivery } from '../../read/webhook/deliveries';
import { readWebhookTarget } from '../../read/webhook/webhook-row';
import { recordDelivery } from './delivery-rows';
import { WebhookSender, contentTypeOf } from './webhook-sender';

const TEST = 'annals.webhook.Test';

/** Sends a test event to webhooks (contract/feed.md section 6). */
@Injectable()
export class TryWebhook {
  constructor(
    private readonly kernel: Kernel,
    private readonly consumers: ConsumerFacts,
    private readonly sender: WebhookSender,
  ) {}

  /** One attempt, also while the consumer is paused or its requests fail. @throws Rejected BAD_REQUEST if it has no webhook */
  async send(by: Actor, name: string): Promise<WebhookDelivery> {
    if (this.kernel.isPast) throw readOnlyPast();
    const { database, clock } = this.kernel;
    const consumer = await this.consumers.own(by, name);
    const at = clock.now();
    const target = consumer.webhook && (await readWebhookTarget(database.pool, consumer, at));
    if (!consumer.webhook || !target) throw reject.noWebhook();
    const id = `msg_${randomUUID()}`;
    const event = testEvent(consumer, id, rfc3339(at));
    const { batch } = consumer.webhook;
    const body = JSON.stringify(batch ? [event] : event);
    const { status, ms, answer } = await this.sender.send(target, { id, contentType: contentTypeOf(batch), body }, at);
    await recordDelivery(database.pool, consumer, id, { at, attempt: 1, status, ms, answer });
    return { id, at, attempt: 1, status, ms, answer };
  }
}

/** It is no event of the log, so it has no position. */
const testEvent = ({ realmId, name }: ConsumerRow, id: string, time: string) => ({
  specversion: '1.0',
  id: `${realmId}/${id}`,
  source: sourceOf(realmId),
  type: TEST,
  time,
  datacontenttype: 'application/json',
  data: { consumer: name },
});
