import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { GroupValues, checkedSettings } from '@annals/groups';
import type { SystemGroups } from '@annals/realm';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ChangeRules, ChannelPatch } from '../../domain/channel/change-channel';
import { changeChannel } from '../../domain/channel/change-channel';
import type { Channel } from '../../domain/channel/channel';
import { channelAggregate, channelNameKey } from '../../domain/channel/channel';
import { reject } from '../../domain/rejections';
import { allowedGroups } from '../../domain/channel/settings';
import { ChannelFacts } from '../../read/channel/channel-facts';
import { Administration } from './administration';
import { ChannelNotices } from './channel-notices';
import { ChannelRulesFacts } from './channel-rules';
import { noticesOf } from './reported-changes';
import { channelNameFree, hasSubscribers, noNamedTopics } from '../guards';

/** Changes properties and permissions of a channel, all of it or nothing (contract/channels.md section 5). */
export class ChangeChannel extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly channelId: ChannelId,
    readonly change: ChannelPatch,
  ) {
    super();
  }
}

/** Changes a channel within a unit of work. */
@Injectable()
export class ChannelChanges {
  constructor(
    private readonly administration: Administration,
    private readonly channels: ChannelFacts,
    private readonly groups: GroupValues,
    private readonly rules: ChannelRulesFacts,
    private readonly notices: ChannelNotices,
  ) {}

  /** @throws Rejected when the actor may not, or a value cannot be set */
  async change(work: Work, channelId: ChannelId, requested: ChannelPatch): Promise<void> {
    const { channel, isSubscribed } = await this.administration.channel(work, channelId);
    const rules = await this.rulesFor(work, channel, isSubscribed, requested);
    const change = await this.checked(work, requested, rules);
    guardChange(work, channel, change);
    // The groups in the settings of an unarchived channel count as used again.
    if (change.isArchived === false) {
      for (const value of Object.values(channel.settings)) this.groups.declareUse(work, value);
    }
    const events = await work.decide(channelAggregate, channelId, (state) => {
      if (!state) throw reject.unknownChannel();
      return changeChannel(state, change, work.actor, rules);
    });
    for (const notice of noticesOf(channel, events)) await this.notices.changed(work, channelId, notice);
  }

  private async rulesFor(
    work: Work,
    channel: Channel,
    isSubscribed: boolean,
    { name, folderId }: ChannelPatch,
  ): Promise<ChangeRules & { readonly systemGroups: SystemGroups }> {
    const sameName = name === undefined ? undefined : await this.channels.byName(work.realmId, name);
    const { settings } = await organization(work);
    return {
      ...(await this.rules.of(work)),
      ...(await this.administration.figures(work, channel.id)),
      nameTaken: sameName !== undefined && sameName.id !== channel.id,
      folder: await this.rules.folder(work, folderId ?? null),
      isSubscribed,
      isForModerationRequests: settings.moderation_request_channel_id === channel.id,
      isExpected: await this.groups.expectation(work, Object.values(channel.settings)),
    };
  }

  private async checked(work: Work, change: ChannelPatch, { systemGroups }: { systemGroups: SystemGroups }) {
    const settings = await checkedSettings(work, change.settings, allowedGroups, systemGroups, this.groups);
    return { ...change, settings };
  }
}

@CommandHandler(ChangeChannel)
export class ChangeChannelHandler implements ICommandHandler<ChangeChannel> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly channels: ChannelChanges,
  ) {}

  async execute({ by, channelId, change }: ChangeChannel): Promise<void> {
    await this.work.run(by, (work) => this.channels.change(work, channelId, change));
  }
}

/** Declares the sets that the change depends on, and those that it changes. */
function guardChange(work: Work, channel: Channel, { name, topicsPolicy, isArchived }: ChannelPatch): void {
  if (name !== undefined && channelNameKey(name) !== channelNameKey(channel.name)) {
    work.guard(channelNameFree, channelNameKey(name));
    work.changesGuard(channelNameFree, channelNameKey(name));
    work.changesGuard(channelNameFree, channelNameKey(channel.name));
  }
  if (topicsPolicy === 'empty_topic_only') work.guard(noNamedTopics, channel.id);
  if (isArchived === false) work.guard(hasSubscribers, channel.id);
}
