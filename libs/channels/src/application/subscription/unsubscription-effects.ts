import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, UserId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { seesMetadata } from '../../domain/channel/access';
import type { Channel } from '../../domain/channel/channel';
import { channelAggregate, membersStream, channelNameKey } from '../../domain/channel/channel';
import { ensureFew } from '../../domain/subscription/membership';
import { reject } from '../../domain/rejections';
import type { Unsubscribing } from '../../domain/subscription/unsubscribing';
import { mayUnsubscribe, unsubscribe } from '../../domain/subscription/unsubscribing';
import { ChannelFacts } from '../../read/channel/channel-facts';
import { hasSubscribers, memberKey, notYetMember, stillMember } from '../guards';
import { membersAmong } from './membership-rows';

/** The result, once for each user and channel. Names are those of the channels. */
export interface UnsubscriptionOutcome {
  readonly removed: readonly string[];
  readonly notRemoved: readonly string[];
}

/** Unsubscribes users from channels within a unit of work. */
@Injectable()
export class Unsubscriptions {
  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
    private readonly users: UserFacts,
  ) {}

  /**
   * @param names of channels, as they were sent
   * @throws Rejected STREAM_DOES_NOT_EXIST if the actor knows no channel with a name, BAD_REQUEST when the actor may
   *   not unsubscribe these users
   */
  async leave(work: Work, names: readonly string[], people: readonly UserId[]): Promise<UnsubscriptionOutcome> {
    ensureFew(new Set(names.map((name) => channelNameKey(name.trim()))).size, people.length);
    const channels = await this.find(work, names);
    const accounts = await this.users.accounts(work.realmId, people);
    const leavers = people.map((userId) => ({ userId, botOwnerId: accounts.get(userId)?.botOwnerId ?? null }));
    ensure(mayUnsubscribe(leavers, channels, work.actor));
    const ids = channels.map(({ id }) => id);
    const members = await membersAmong(this.kernel.database.pool, work.realmId, ids, people);
    const isSubscribed = (channel: ChannelId, user: UserId) => members.has(memberKey(channel, user));
    const inputs = ids.map((channelId) => ({
      channelId,
      candidates: people.map((userId) => ({ userId, isSubscribed: isSubscribed(channelId, userId) })),
    }));
    record(work, inputs);
    const namesOf = (subscribed: boolean) =>
      channels.flatMap(({ id, name }) =>
        people.filter((user) => isSubscribed(id, user) === subscribed).map(() => name),
      );
    return { removed: namesOf(true), notRemoved: namesOf(false) };
  }

  /** Each channel once, however often it is named. */
  private async find(work: Work, names: readonly string[]): Promise<Channel[]> {
    const keys = names.map((name) => channelNameKey(name.trim()));
    const rows = await this.channels.byNames(work.realmId, keys);
    const own = await this.channels.subscribedBy(work.realmId, work.actor.userId);
    const found = new Map<ChannelId, Channel>();
    for (const [n, key] of keys.entries()) {
      const row = rows.get(key);
      const channel = row ? await work.read(channelAggregate, row.id) : null;
      if (!channel || !seesMetadata(channel, work.actor, own.has(channel.id))) {
        throw reject.noSuchChannel({ stream: names[n] ?? '' });
      }
      if (!seesMetadata(channel, work.actor, false)) work.guard(stillMember, memberKey(channel.id, work.actor.userId));
      found.set(channel.id, channel);
    }
    return [...found.values()];
  }
}

function record(work: Work, inputs: readonly Unsubscribing[]): void {
  for (const fact of unsubscribe(inputs)) {
    const { channelId, userIds } = fact.data;
    work.append(membersStream(channelId), [fact]);
    work.touchesRows(userIds.length);
    work.changesGuard(hasSubscribers, channelId);
    for (const user of userIds) work.changesGuard(stillMember, memberKey(channelId, user));
  }
  for (const { channelId, candidates } of inputs) {
    for (const { userId, isSubscribed } of candidates) {
      work.guard(isSubscribed ? stillMember : notYetMember, memberKey(channelId, userId));
    }
  }
}
