import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { channelNameKey } from '../../domain/channel/channel';
import { reject } from '../../domain/rejections';
import type { UnsubscriptionOutcome } from './unsubscription-effects';
import { Unsubscriptions } from './unsubscription-effects';
import type { SubscribeResult, SubscribeInput } from './subscribe';
import { Subscribing } from './subscribe';

/** Subscribes the actor to channels and unsubscribes them from others, all or nothing (contract/subscriptions.md 2.3). */
export class UpdateSubscriptions extends Command<SubscribeResult & UnsubscriptionOutcome> {
  constructor(
    readonly by: Actor,
    readonly add: Pick<SubscribeInput, 'wanted' | 'input'>,
    /** Names of channels as they were sent. */
    readonly leave: readonly string[],
  ) {
    super();
  }
}

const NOTHING: SubscribeResult = { subscribed: new Map(), already: new Map(), unauthorized: [], messagesSent: true };

@CommandHandler(UpdateSubscriptions)
export class UpdateSubscriptionsHandler implements ICommandHandler<UpdateSubscriptions> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly subscribing: Subscribing,
    private readonly unsubscriptions: Unsubscriptions,
  ) {}

  async execute({ by, add, leave }: UpdateSubscriptions): Promise<SubscribeResult & UnsubscriptionOutcome> {
    if (add.wanted.length + leave.length === 0) throw reject.nothingToDo();
    const added = new Set(add.wanted.map(({ name }) => channelNameKey(name)));
    const both = leave.find((name) => added.has(channelNameKey(name.trim())));
    if (both !== undefined) throw reject.addedAndDeleted({ name: both });
    return this.work.run(by, async (work) => {
      if (added.size > 0 && isGuest(work.actor)) throw reject.mayNotSubscribeAsGuest();
      const notices = { announce: false, toSubscribers: true };
      const requested = { ...add, principals: [], authorizationErrorsFatal: true, notices };
      const subscribed = added.size > 0 ? await this.subscribing.subscribe(work, requested) : NOTHING;
      return { ...subscribed, ...(await this.unsubscriptions.leave(work, leave, [work.actor.userId])) };
    });
  }
}
