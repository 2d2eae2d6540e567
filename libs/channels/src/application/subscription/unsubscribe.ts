import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { UnsubscriptionOutcome } from './unsubscription-effects';
import { Unsubscriptions } from './unsubscription-effects';
import type { SubscriberArg } from './subscriber-args';
import { SubscriberArgs } from './subscriber-args';

/** Unsubscribes users from channels by name (INTERFACE.md 4.10, contract/subscriptions.md section 3). */
export class Unsubscribe extends Command<UnsubscriptionOutcome> {
  constructor(
    readonly by: Actor,
    /** Names of channels as they were sent. */
    readonly names: readonly string[],
    /** Empty for the actor alone. */
    readonly principals: SubscriberArg,
  ) {
    super();
  }
}

@CommandHandler(Unsubscribe)
export class UnsubscribeHandler implements ICommandHandler<Unsubscribe> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly unsubscriptions: Unsubscriptions,
    private readonly subscriberArgs: SubscriberArgs,
  ) {}

  execute({ by, names, principals }: Unsubscribe): Promise<UnsubscriptionOutcome> {
    return this.work.run(by, async (work) => {
      const named = principals.length === 0 ? [work.actor.userId] : principals;
      const people = await this.subscriberArgs.active(work, named);
      return this.unsubscriptions.leave(work, names, people);
    });
  }
}
