import type { Undoer, Undone, Work } from '@annals/kernel';
import { Kernel, undoChanges, undoConflicts } from '@annals/kernel';
import type { ChannelId, Recorded, UserId } from '@annals/kernel/domain';
import { ensure, isGuest } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { UserFacts, stillActive } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { seesContent } from '../../domain/channel/access';
import { channelAggregate, membersAggregate } from '../../domain/channel/channel';
import { Unsubscribed } from '../../domain/events';
import { maySubscribeOthers } from '../../domain/policies';
import { reject } from '../../domain/rejections';
import { ChannelFacts } from '../../read/channel/channel-facts';
import { memberKey, stillMember } from '../guards';
import { subscribedSince } from './membership-rows';
import { SubscriptionEffects } from './subscription-effects';

/** Subscribes users again who were unsubscribed (contract/audit.md section 11). */
@Injectable()
export class UndoUnsubscribing implements Undoer {
  readonly types = [Unsubscribed.type];

  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
    private readonly users: UserFacts,
    private readonly subscriptions: SubscriptionEffects,
  ) {}

  async undo(work: Work, event: Recorded): Promise<Undone> {
    const { channelId, userIds } = (event as Recorded<Unsubscribed>).data;
    const { pool } = this.kernel.database;
    await this.ensureAllowed(work, channelId, userIds);
    // Before the subscriptions, so that the append depends on them being all.
    await work.read(membersAggregate, channelId);
    const changed = await subscribedSince(pool, work.realmId, { channelId, userIds, position: event.position });
    const accounts = await this.users.accounts(work.realmId, userIds);
    const unchanged = userIds.filter((id) => !changed.has(id));
    const people = unchanged.filter((id) => accounts.get(id)?.isActive === true);
    if (people.length > 0) await this.subscribe(work, channelId, people);
    return {
      changes: undoChanges('user', people, { property: 'subscribed_to', before: null, after: `channel:${channelId}` }),
      conflicts: undoConflicts('user', {
        changed: userIds.filter((id) => changed.has(id)),
        deactivated: unchanged.filter((id) => accounts.get(id)?.isActive !== true),
      }),
    };
  }

  /**
   * As `Subscribing` does for a channel that exists, whatever is left of the act: a refusal does not tell what others did since.
   */
  private async ensureAllowed(work: Work, channelId: ChannelId, userIds: readonly UserId[]): Promise<void> {
    const { actor } = work;
    if (isGuest(actor)) throw reject.mayNotSubscribeAsGuest();
    const channel = await work.read(channelAggregate, channelId);
    const isSubscribed = (await this.channels.subscribedBy(work.realmId, actor.userId)).has(channelId);
    if (!channel || !seesContent(channel, actor, isSubscribed)) throw reject.unknownChannel();
    if (!seesContent(channel, actor, false)) work.guard(stillMember, memberKey(channelId, actor.userId));
    if (userIds.every((id) => id === actor.userId)) return;
    const { settings } = await organization(work);
    ensure(maySubscribeOthers(channel, actor, isSubscribed, settings.can_add_subscribers_group));
  }

  private async subscribe(work: Work, channelId: ChannelId, people: readonly UserId[]): Promise<void> {
    for (const id of people) if (id !== work.actor.userId) work.guard(stillActive, id);
    await this.subscriptions.subscribe(work, [{ channelId, people, color: null, isNew: false }]);
  }
}
