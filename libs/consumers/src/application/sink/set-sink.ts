import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { consumerAggregate } from '../../domain/consumer';
import { reject } from '../../domain/rejections';
import { endSink, setSink, sinkAggregate } from '../../domain/sink/sink';
import type { SinkTarget } from '../../domain/sink/sink-target';
import { webhookAggregate } from '../../domain/webhook/webhook';
import { ConsumerFacts } from '../../read/consumer-facts';
import { ConsumerRights } from '../../read/consumer-rights';
import { SinkAddresses } from './sink-addresses';
import { SinkCredentials } from './sink-credentials';

/** contract/feed.md section 7 */
export class SetSink extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly name: string,
    readonly target: SinkTarget,
  ) {
    super();
  }
}

@CommandHandler(SetSink)
export class SetSinkHandler implements ICommandHandler<SetSink> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly consumers: ConsumerFacts,
    private readonly rights: ConsumerRights,
    private readonly credentials: SinkCredentials,
    private readonly addresses: SinkAddresses,
  ) {}

  /** @throws Rejected BAD_REQUEST for credentials or an address that it may not use, and unless the owner asks */
  async execute({ by, name, target }: SetSink): Promise<void> {
    await this.consumers.own(by, name);
    const credential = this.credentials.for(by.realmId, target);
    if (credential === undefined) throw reject.noCredentials({ name: target.credentials ?? '' });
    await this.addresses.ensureAllowed(target, credential?.tls ?? false);
    await this.work.run(by, async (work) => {
      const consumer = await this.consumers.own(work.actor, name);
      await this.rights.ensure(consumer);
      // A consumer that is deleted meanwhile gets no sink.
      await work.read(consumerAggregate, consumer.id);
      if (await work.read(webhookAggregate, consumer.id)) throw reject.hasWebhook();
      await work.decide(sinkAggregate, consumer.id, (state) => setSink(state, consumer, target));
    });
  }
}

/** contract/feed.md section 7 */
export class EndSink extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(EndSink)
export class EndSinkHandler implements ICommandHandler<EndSink> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly consumers: ConsumerFacts,
  ) {}

  async execute({ by, name }: EndSink): Promise<void> {
    await this.work.run(by, async (work) => {
      const consumer = await this.consumers.managed(work.actor, name);
      await work.decide(sinkAggregate, consumer.id, (state) => endSink(state, consumer));
    });
  }
}
