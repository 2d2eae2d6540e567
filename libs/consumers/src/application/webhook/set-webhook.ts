import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { consumerAggregate } from '../../domain/consumer';
import { reject } from '../../domain/rejections';
import { sinkAggregate } from '../../domain/sink/sink';
import type { Webhook } from '../../domain/webhook/webhook';
import { endWebhook, rotateSecret, setWebhook, webhookAggregate } from '../../domain/webhook/webhook';
import { ensureSecret } from '../../domain/webhook/webhook-secret';
import { ConsumerFacts } from '../../read/consumer-facts';
import { ConsumerRights } from '../../read/consumer-rights';
import { webhookSecrets } from '../../read/webhook/webhook-row';
import { WebhookSecrets, newSecret } from './webhook-secrets';
import { WebhookSender } from './webhook-sender';

/** contract/feed.md section 6 */
export class SetWebhook extends Command<string> {
  /** @param secret left out: the present one, or a new one */
  constructor(
    readonly by: Actor,
    readonly name: string,
    readonly webhook: Webhook,
    readonly secret: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(SetWebhook)
export class SetWebhookHandler implements ICommandHandler<SetWebhook> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly consumers: ConsumerFacts,
    private readonly rights: ConsumerRights,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
  ) {}

  /** @returns the secret @throws Rejected BAD_WEBHOOK_URL, and BAD_REQUEST unless the owner asks */
  async execute({ by, name, webhook, secret: asked }: SetWebhook): Promise<string> {
    await this.consumers.own(by, name);
    if (asked !== undefined) ensureSecret(asked);
    await this.sender.ensureAllowed(webhook.url);
    const created = newSecret();
    return this.work.run(by, async (work) => {
      const consumer = await this.consumers.own(work.actor, name);
      const { id, realmId } = consumer;
      await this.rights.ensure(consumer);
      // A consumer that is deleted meanwhile gets no webhook.
      await work.read(consumerAggregate, id);
      if (await work.read(sinkAggregate, id)) throw reject.hasSink();
      const known = (await work.read(webhookAggregate, id)) && (await this.secrets.current(realmId, id));
      const used = asked ?? known ?? created;
      const facts = await work.decide(webhookAggregate, id, (state) =>
        setWebhook(state, consumer, webhook, used === known),
      );
      if (facts.length > 0 && used !== known) this.secrets.use(work, id, used, null);
      return used;
    });
  }
}

/** contract/feed.md section 6 */
export class EndWebhook extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(EndWebhook)
export class EndWebhookHandler implements ICommandHandler<EndWebhook> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly consumers: ConsumerFacts,
  ) {}

  async execute({ by, name }: EndWebhook): Promise<void> {
    await this.work.run(by, async (work) => {
      const consumer = await this.consumers.managed(work.actor, name);
      await work.decide(webhookAggregate, consumer.id, (state) => endWebhook(state, consumer));
      for (const secret of webhookSecrets(consumer.id)) work.secret({ drop: secret });
    });
  }
}

/** contract/feed.md section 6 */
export class RotateWebhookSecret extends Command<string> {
  /** @param secret left out: a new one */
  constructor(
    readonly by: Actor,
    readonly name: string,
    readonly secret: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly consumers: ConsumerFacts,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** @returns the secret */
  async execute({ by, name, secret = newSecret() }: RotateWebhookSecret): Promise<string> {
    ensureSecret(secret);
    await this.work.run(by, async (work) => {
      const consumer = await this.consumers.own(work.actor, name);
      await work.decide(webhookAggregate, consumer.id, (state) => rotateSecret(state, consumer));
      const known = await this.secrets.current(by.realmId, consumer.id);
      if (known === secret) throw reject.sameSecret();
      this.secrets.use(work, consumer.id, secret, known);
    });
    return secret;
  }
}
