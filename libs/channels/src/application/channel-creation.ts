import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { GroupValues } from '@annals/groups';
import { ensure } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ChannelWish, WishedProperties } from '../domain/wish';
import { channelAggregate, createChannel, nameKey } from '../domain/channel';
import { mayExist } from '../domain/policies';
import { ChannelFacts } from '../read/channel-facts';
import { channelNameFree } from './guards';
import { organization } from '@annals/realm';
import { checkedSettings } from './wished-settings';

/** Creates channels within a unit of work, for every endpoint that can. */
@Injectable()
export class ChannelCreation {
  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
    private readonly groups: GroupValues,
  ) {}

  /** @throws Rejected when the actor may not create such a channel, or its name is taken */
  async create(work: Work, wish: ChannelWish): Promise<ChannelId> {
    const { realmId } = work;
    const { settings, systemGroups } = await organization(work);
    const checked = await checkedSettings(work, wish.settings, systemGroups, this.groups);
    const rules = {
      nameTaken: (await this.channels.byName(realmId, wish.name)) !== undefined,
      canCreatePublic: settings.can_create_public_channel_group,
      canCreatePrivate: settings.can_create_private_channel_group,
      canSetTopicsPolicy: settings.can_set_topics_policy_group,
      canSetDeleteMessagePolicy: settings.can_set_delete_message_policy_group,
      systemGroups,
    };
    const id = await this.kernel.ids.next(realmId, 'channel');
    const decision = () => createChannel(id, { ...wish, settings: checked }, work.actor, rules);
    await work.decide(channelAggregate, id, decision);
    work.guard(channelNameFree, nameKey(wish.name));
    work.changesGuard(channelNameFree, nameKey(wish.name));
    return id;
  }

  /**
   * For who describes a channel that is there already, in case it is not (contract/subscriptions.md section 2).
   *
   * @throws Rejected when nobody could create such a channel
   */
  async ensurePossible(work: Work, wish: WishedProperties): Promise<void> {
    const { systemGroups } = await organization(work);
    const settings = await checkedSettings(work, wish.settings, systemGroups, this.groups);
    ensure(mayExist({ ...wish, settings }, systemGroups));
  }
}
