import { Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { SignedMessage } from '../../application/webhook/webhook-sender';
import { WebhookSender, contentTypeOf } from '../../application/webhook/webhook-sender';
import { afterAttempt } from '../../domain/webhook/attempt';
import { readWebhookTarget } from '../../read/webhook/webhook-row';
import type { PushedConsumer } from './batch-rows';
import type { BatchSender, SendResult, SentBatch } from './batch-sender';

/** Sends batches to webhooks, as one request each. */
@Injectable()
export class WebhookBatches implements BatchSender {
  constructor(
    private readonly kernel: Kernel,
    private readonly sender: WebhookSender,
  ) {}

  async send(
    consumer: PushedConsumer,
    batch: SentBatch,
    { at, failures }: { readonly at: Instant; readonly failures: number },
  ): Promise<SendResult | null> {
    const { database, clock } = this.kernel;
    const target = await readWebhookTarget(database.pool, consumer, at);
    if (!target) return null;
    const attempt = await this.sender.send(target, messageOf(consumer, batch), at);
    return { ...attempt, after: afterAttempt(attempt, failures, clock.now()) };
  }
}

function messageOf({ webhook }: PushedConsumer, { id, events }: SentBatch): SignedMessage {
  const isBatch = webhook?.batch ?? false;
  const body = isBatch ? `[${events.map(({ json }) => json).join(',')}]` : (events[0]?.json ?? '');
  return { id, contentType: contentTypeOf(isBatch), body };
}
