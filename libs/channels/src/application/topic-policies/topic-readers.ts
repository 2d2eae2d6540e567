import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, GroupId, GroupSetting, UserId } from '@annals/kernel/domain';
import { readMembership } from '@annals/groups';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { seesContent } from '../../domain/channel/access';
import { channelAggregate } from '../../domain/channel/channel';
import { memberKey } from '../guards';
import { membersAmong } from '../subscription/membership-rows';

/** Answers for many users at once whether they may read a channel. */
@Injectable()
export class TopicReaders {
  constructor(
    private readonly kernel: Kernel,
    private readonly users: UserFacts,
  ) {}

  /** Those of these people who may read the channel's messages, with few queries however many they are. */
  async among(work: Work, channelId: ChannelId, people: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    const channel = await work.read(channelAggregate, channelId);
    if (!channel || people.length === 0) return new Set();
    const { realmId, at } = work;
    const { pool } = this.kernel.database;
    const members = await membersAmong(pool, realmId, [channelId], people);
    const { can_add_subscribers_group, can_subscribe_group } = channel.settings;
    const asked = channel.inviteOnly ? [can_add_subscribers_group, can_subscribe_group].flatMap(groupsIn) : [];
    const isIn = await readMembership({ client: pool, realmId }, asked, people);
    const now = { position: await this.kernel.fence.reach(realmId), at };
    const accounts = await this.users.accounts(realmId, people);
    const mayRead = (userId: UserId): boolean => {
      const account = accounts.get(userId);
      if (!account) return false;
      const groups = new Set(asked.filter((group) => isIn(group, userId, now)));
      return seesContent(channel, { userId, role: account.role, groups }, members.has(memberKey(channelId, userId)));
    };
    return new Set(people.filter(mayRead));
  }
}

const groupsIn = (setting: GroupSetting): readonly GroupId[] =>
  typeof setting === 'number' ? [setting] : setting.directSubgroups;
