import { UnitOfWork } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PersonalProperty } from '../../domain/subscription/personal-properties';
import { changeProperty, subscriptionStream } from '../../domain/subscription/subscription';
import { ChannelFacts } from '../../read/channel/channel-facts';
import { memberKey, stillMember } from '../guards';

/** A property of one subscription of the actor. */
export type PersonalChange = PersonalProperty & { readonly channelId: ChannelId };

/** Sets properties of the actor's own subscriptions, in order, all or none (INTERFACE.md 4.2 and 4.3). */
export class ChangePersonalSettings extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly changes: readonly PersonalChange[],
  ) {
    super();
  }
}

@CommandHandler(ChangePersonalSettings)
export class ChangePersonalSettingsHandler implements ICommandHandler<ChangePersonalSettings> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly channels: ChannelFacts,
  ) {}

  execute({ by, changes }: ChangePersonalSettings): Promise<void> {
    return this.work.run(by, async (work) => {
      const { userId } = work.actor;
      const own = await this.channels.subscribedBy(work.realmId, userId);
      for (const { channelId, ...change } of changes) {
        const facts = changeProperty(userId, channelId, own.has(channelId), change);
        work.append(subscriptionStream(userId, channelId), facts);
      }
      for (const channel of new Set(changes.map(({ channelId }) => channelId))) {
        work.guard(stillMember, memberKey(channel, userId));
      }
    });
  }
}
