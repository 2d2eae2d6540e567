import type { Work } from '@annals/kernel';
import type { ChannelId, GroupSetting } from '@annals/kernel/domain';
import { GroupValues } from '@annals/groups';
import { SettingReferences } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { seesMetadata } from '../domain/channel/access';
import { channelAggregate } from '../domain/channel/channel';
import { reject } from '../domain/rejections';
import { ChannelFacts } from '../read/channel/channel-facts';

/** Answers whether what settings of the organization name is there: of all who know, this context is the last. */
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
    // Nothing is ever posted in the archive, so a setting leads there no more than to a channel that is not there.
    const isThere = channel !== null && !channel.isArchived && seesMetadata(channel, work.actor, own.has(id));
    if (!isThere) throw reject.unknownChannel();
  }
}
