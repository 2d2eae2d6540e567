import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Left } from './unsubscription-effects';
import { Leavings } from './unsubscription-effects';
import type { Named } from './subscriber-args';
import { Principals } from './subscriber-args';

/** Unsubscribes people from channels by name (INTERFACE.md 4.10, contract/subscriptions.md section 3). */
export class Unsubscribe extends Command<Left> {
  constructor(
    readonly by: Actor,
    /** Names of channels as they were sent. */
    readonly names: readonly string[],
    /** Empty for the caller alone. */
    readonly principals: Named,
  ) {
    super();
  }
}

@CommandHandler(Unsubscribe)
export class UnsubscribeHandler implements ICommandHandler<Unsubscribe> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly leavings: Leavings,
    private readonly principals: Principals,
  ) {}

  execute({ by, names, principals }: Unsubscribe): Promise<Left> {
    return this.work.run(by, async (work) => {
      const named = principals.length === 0 ? [work.actor.userId] : principals;
      const people = await this.principals.active(work, named);
      return this.leavings.leave(work, names, people);
    });
  }
}
