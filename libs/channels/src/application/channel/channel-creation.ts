import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { GroupValues, checkedSettings } from '@annals/groups';
import { ensure } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ChannelInput, ChannelProperties } from '../../domain/channel/channel-input';
import { channelAggregate, createChannel, channelNameKey } from '../../domain/channel/channel';
import { mayCreate, mayExist } from '../../domain/policies';
import { allowedGroups } from '../../domain/channel/settings';
import { ChannelFacts } from '../../read/channel/channel-facts';
import { channelNameFree } from '../guards';
import { ChannelRulesFacts } from './channel-rules';

/** Creates channels within a unit of work, for every endpoint that can. */
@Injectable()
export class ChannelCreation {
  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
    private readonly groups: GroupValues,
    private readonly rules: ChannelRulesFacts,
  ) {}

  /** @throws Rejected when the actor may not create such a channel, or its name is taken */
  async create(work: Work, input: ChannelInput): Promise<ChannelId> {
    const { realmId } = work;
    const rules = {
      ...(await this.rules.of(work)),
      nameTaken: (await this.channels.byName(realmId, input.name)) !== undefined,
      folder: await this.rules.folder(work, input.folderId),
    };
    // The settings are checked last, as in the contract's order of failures.
    ensure(mayCreate({ ...input, settings: {} }, work.actor, rules));
    const checked = await checkedSettings(work, input.settings, allowedGroups, rules.systemGroups, this.groups);
    const id = await this.kernel.ids.next(realmId, 'channel');
    const decision = () => createChannel(id, { ...input, settings: checked }, work.actor, rules);
    await work.decide(channelAggregate, id, decision);
    work.guard(channelNameFree, channelNameKey(input.name));
    work.changesGuard(channelNameFree, channelNameKey(input.name));
    return id;
  }

  /**
   * For a request that describes a channel which exists already: the description must be valid all the same
   * (contract/subscriptions.md section 2).
   *
   * @throws Rejected when nobody could create such a channel
   */
  async ensurePossible(work: Work, input: ChannelProperties): Promise<void> {
    const rules = { ...(await this.rules.of(work)), folder: await this.rules.folder(work, input.folderId) };
    const settings = await checkedSettings(work, input.settings, allowedGroups, rules.systemGroups, this.groups);
    ensure(mayExist({ ...input, settings }, rules));
  }
}
