import type { Work } from '@annals/kernel';
import type { ChannelId, GroupSetting } from '@annals/kernel/domain';
import { GroupValues } from '@annals/groups';
import { SettingReferences } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { seesMetadata } from '../domain/channel/access';
import { channelAggregate } from '../domain/channel/channel';
import { reject } from '../domain/rejections';
import { ChannelFacts } from '../read/channel/channel-facts';

/** Checks the references of the organization's settings. This context is the last of those that are needed for it. */
@Injectable()
export class KnownReferences extends SettingReferences {
  constructor(
    private readonly groups: GroupValues,
    private readonly channels: ChannelFacts,
  ) {
    super();
  }

  override ensureGroupValue(work: Work, value: GroupSetting): Promise<void> {
    return this.groups.ensureKnown(work, value);
  }

  override expectation(work: Work, present: readonly GroupSetting[]) {
    return this.groups.expectation(work, present);
  }

  override async ensureChannel(work: Work, id: ChannelId): Promise<void> {
    const channel = await work.read(channelAggregate, id);
    const own = await this.channels.subscribedBy(work.realmId, work.actor.userId);
    // Nothing can be posted to an archived channel, so a setting with one counts like one with an unknown channel.
    const isThere = channel !== null && !channel.isArchived && seesMetadata(channel, work.actor, own.has(id));
    if (!isThere) throw reject.unknownChannel();
  }
}
