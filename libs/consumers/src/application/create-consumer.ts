import { Auditing } from '@annals/audit';
import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ExistingConsumers, NewConsumer } from '../domain/consumer';
import { createConsumer } from '../domain/consumer';
import { readConsumers } from '../read/consumer-row';
import type { Beginning } from '../read/beginnings';
import { Beginnings } from '../read/beginnings';
import { ANOTHER_CONSUMER, consumerNameFree, consumerRoom } from './guards';
import { forgetDeleted } from './pull/offer-rows';
import { Selections } from './selections';

/** contract/feed.md section 2 */
export class CreateConsumer extends Command<number> {
  /** @param from where it begins */
  constructor(
    readonly by: Actor,
    readonly consumer: NewConsumer,
    readonly from: Beginning,
  ) {
    super();
  }
}

@CommandHandler(CreateConsumer)
export class CreateConsumerHandler implements ICommandHandler<CreateConsumer> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly auditing: Auditing,
    private readonly selections: Selections,
    private readonly beginnings: Beginnings,
  ) {}

  /** @returns its id */
  async execute({ by, consumer, from }: CreateConsumer): Promise<number> {
    const { view, words = false } = consumer;
    this.selections.check(view, consumer);
    const after = await this.beginnings.position(by.realmId, from);
    const created = await this.work.run(by, async (work) => {
      if (view === 'domain') await this.auditing.ensureReading(work.actor, words);
      const existing = await this.existing(work.actor, consumer.name);
      work.guard(consumerNameFree, consumer.name);
      work.changesGuard(consumerNameFree, consumer.name);
      work.guard(consumerRoom, by.userId);
      work.changesGuard(consumerRoom, ANOTHER_CONSUMER);
      return work.open('consumer', createConsumer(consumer, by.userId, after, existing));
    });
    // What is left of consumers that were deleted, also if a process ended in the middle of that.
    await this.kernel.database.transaction('BEGIN', (client) => forgetDeleted(client, by.realmId));
    return created.id;
  }

  private async existing({ realmId, userId }: Actor, name: string): Promise<ExistingConsumers> {
    const all = await readConsumers(this.kernel.database.pool, realmId);
    return {
      all: all.length,
      own: all.filter(({ ownerId }) => ownerId === userId).length,
      hasName: all.some((one) => one.name === name),
    };
  }
}
