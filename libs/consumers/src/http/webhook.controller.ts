import type { Actor } from '@annals/kernel/domain';
import { nullable, t } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EndWebhook, RotateWebhookSecret, SetWebhook } from '../application/webhook/set-webhook';
import { TryWebhook } from '../application/webhook/try-webhook';
import { ConsumerFacts } from '../read/consumer-facts';
import { ShownConsumers } from '../read/shown-consumers';
import { DeliveryHistory, presentDelivery } from '../read/webhook/deliveries';
import { ConsumerParams } from './consumers.params';
import { consumerShape } from './shapes';
import { RotatedSecretParams, WebhookParams } from './webhook.params';

const secretShape = t.String({ description: '`whsec_` and base64, with which requests are signed.' });

/** A request to a webhook. */
const deliveryShape = t.Object({
  id: t.String({ description: 'The header `webhook-id`: the same in every attempt.' }),
  at: t.String(),
  attempt: t.Integer(),
  status: nullable(t.Integer({ description: 'Null if there was no answer.' })),
  ms: t.Integer(),
  answer: t.String({ description: 'The first 500 bytes of the answer, or why there was none.' }),
});

@Controller()
export class WebhookController {
  constructor(
    private readonly commands: CommandBus,
    private readonly shown: ShownConsumers,
    private readonly consumers: ConsumerFacts,
    private readonly deliveries: DeliveryHistory,
    private readonly attempts: TryWebhook,
  ) {}

  /** contract/feed.md section 6 */
  @Endpoint('PUT', 'feed/consumers/:name/webhook', {
    audience: 'anyone',
    section: 'feed 6',
    summary: 'Send the events of a consumer to a URL',
    command: 'SetWebhook',
    returns: t.Object({ consumer: consumerShape, secret: secretShape }),
  })
  async set(@By() by: Actor, @Params(WebhookParams) { name, url, batch, secret: asked }: WebhookParams) {
    const secret = await this.commands.execute(new SetWebhook(by, name, { url, batch }, asked));
    return { consumer: await this.shown.one(by, name), secret };
  }

  /** contract/feed.md section 6 */
  @Endpoint('DELETE', 'feed/consumers/:name/webhook', {
    audience: 'anyone',
    section: 'feed 6',
    summary: 'Let workers pull the events of a consumer again',
    command: 'EndWebhook',
    returns: null,
  })
  async end(@By() by: Actor, @Params(ConsumerParams) { name }: ConsumerParams): Promise<void> {
    await this.commands.execute(new EndWebhook(by, name));
  }

  /** contract/feed.md section 6 */
  @Endpoint('POST', 'feed/consumers/:name/webhook/rotate', {
    audience: 'anyone',
    section: 'feed 6',
    summary: 'Change the secret of a webhook',
    command: 'RotateWebhookSecret',
    returns: t.Object({ secret: secretShape }),
  })
  async rotate(@By() by: Actor, @Params(RotatedSecretParams) { name, secret }: RotatedSecretParams) {
    return { secret: await this.commands.execute(new RotateWebhookSecret(by, name, secret)) };
  }

  /** contract/feed.md section 6 */
  @Endpoint('POST', 'feed/consumers/:name/webhook/test', {
    audience: 'anyone',
    section: 'feed 6',
    summary: 'Send a test event to a webhook',
    returns: t.Object({ delivery: deliveryShape }),
  })
  async test(@By() by: Actor, @Params(ConsumerParams) { name }: ConsumerParams) {
    return { delivery: presentDelivery(await this.attempts.send(by, name)) };
  }

  /** contract/feed.md section 6 */
  @Endpoint('GET', 'feed/consumers/:name/webhook/deliveries', {
    audience: 'anyone',
    section: 'feed 6',
    summary: 'The last requests to a webhook',
    returns: t.Object({ deliveries: t.Array(deliveryShape) }),
  })
  async list(@By() by: Actor, @Params(ConsumerParams) { name }: ConsumerParams) {
    const deliveries = await this.deliveries.list(await this.consumers.own(by, name));
    return { deliveries: deliveries.map(presentDelivery) };
  }
}
