import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ConsumerChange } from '../domain/consumer';
import { changeConsumer, consumerAggregate, deleteConsumer, rewindConsumer } from '../domain/consumer';
import type { Beginning } from '../read/beginnings';
import { Beginnings } from '../read/beginnings';
import { ConsumerFacts } from '../read/consumer-facts';
import { ConsumerRights } from '../read/consumer-rights';
import { webhookSecrets } from '../read/webhook/webhook-row';
import { consumerNameFree } from './guards';
import { forgetDeleted } from './pull/offer-rows';
import { Selections } from './selections';

/** contract/feed.md section 2 */
export class ChangeConsumer extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly name: string,
    readonly change: ConsumerChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeConsumer)
export class ChangeConsumerHandler implements ICommandHandler<ChangeConsumer> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly consumers: ConsumerFacts,
    private readonly rights: ConsumerRights,
    private readonly selections: Selections,
  ) {}

  async execute({ by, name, change }: ChangeConsumer): Promise<void> {
    await this.work.run(by, async (work) => {
      const consumer = await this.consumers.managed(work.actor, name);
      this.selections.check(consumer.view, change);
      // The words are for its owner, whoever changes it.
      if (change.words === true) await this.rights.ensureWords(consumer);
      await work.decide(consumerAggregate, consumer.id, (state) => changeConsumer(state, change, work.actor));
    });
  }
}

/** contract/feed.md section 2 */
export class RewindConsumer extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly name: string,
    readonly to: Beginning,
  ) {
    super();
  }
}

@CommandHandler(RewindConsumer)
export class RewindConsumerHandler implements ICommandHandler<RewindConsumer> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly consumers: ConsumerFacts,
    private readonly beginnings: Beginnings,
  ) {}

  async execute({ by, name, to }: RewindConsumer): Promise<void> {
    const { id } = await this.consumers.managed(by, name);
    const position = await this.beginnings.position(by.realmId, to);
    await this.work.run(by, (work) =>
      work.decide(consumerAggregate, id, (state) => rewindConsumer(state, position, work.actor)),
    );
  }
}

/** contract/feed.md section 2 */
export class DeleteConsumer extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteConsumer)
export class DeleteConsumerHandler implements ICommandHandler<DeleteConsumer> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly consumers: ConsumerFacts,
  ) {}

  async execute({ by, name }: DeleteConsumer): Promise<void> {
    await this.work.run(by, async (work) => {
      const { id } = await this.consumers.managed(work.actor, name);
      work.changesGuard(consumerNameFree, name);
      await work.decide(consumerAggregate, id, (state) => deleteConsumer(state, work.actor));
      for (const secret of webhookSecrets(id)) work.secret({ drop: secret });
    });
    await this.kernel.database.transaction('BEGIN', (client) => forgetDeleted(client, by.realmId));
  }
}
