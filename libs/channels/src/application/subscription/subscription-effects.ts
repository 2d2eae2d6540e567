import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { membersStream } from '../../domain/channel/channel';
import type { NewSubscribers } from '../../domain/subscription/membership';
import { subscribe } from '../../domain/subscription/membership';
import { memberKey, notYetMember, stillMember } from '../guards';
import { colorsOf, membersAmong } from './membership-rows';

/** The users to subscribe to a channel. */
export interface SubscriptionInput {
  readonly channelId: ChannelId;
  readonly people: readonly UserId[];
  /** Null chooses one for each. */
  readonly color: string | null;
  /** A channel of the same unit of work, which cannot have subscribers yet. */
  readonly isNew: boolean;
}

/** The new subscribers, and those who were subscribed already, per channel. */
export interface SubscriptionOutcome {
  readonly channelId: ChannelId;
  readonly subscribed: readonly UserId[];
  readonly already: readonly UserId[];
}

/** Subscribes users to channels within a unit of work. The caller checks permissions. */
@Injectable()
export class SubscriptionEffects {
  constructor(private readonly kernel: Kernel) {}

  async subscribe(work: Work, inputs: readonly SubscriptionInput[]): Promise<SubscriptionOutcome[]> {
    const { realmId } = work;
    const { pool } = this.kernel.database;
    const known = inputs.filter(({ isNew }) => !isNew).map(({ channelId }) => channelId);
    const people = [...new Set(inputs.flatMap((input) => input.people))];
    const members = await membersAmong(pool, realmId, known, people);
    const requests = inputs.map(({ channelId, color, people: some }): NewSubscribers => {
      const candidates = some.map((userId) => ({ userId, isSubscribed: members.has(memberKey(channelId, userId)) }));
      return { channelId, color, candidates };
    });
    for (const fact of subscribe(requests, await colorsOf(pool, realmId, people))) {
      const { channelId, userIds } = fact.data;
      work.append(membersStream(channelId), [fact]);
      work.touchesRows(2 * userIds.length);
      for (const user of userIds) {
        work.guard(notYetMember, memberKey(channelId, user));
        work.changesGuard(notYetMember, memberKey(channelId, user));
      }
    }
    for (const key of members) work.guard(stillMember, key);
    return requests.map(({ channelId, candidates }) => ({
      channelId,
      subscribed: candidates.filter(({ isSubscribed }) => !isSubscribed).map(({ userId }) => userId),
      already: candidates.filter(({ isSubscribed }) => isSubscribed).map(({ userId }) => userId),
    }));
  }
}
