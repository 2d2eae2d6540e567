import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { membersStream } from '../domain/channel';
import type { Subscribing } from '../domain/membership';
import { subscribe } from '../domain/membership';
import { memberKey, notYetMember } from './guards';

/** Whom a channel is to be given. */
export interface Joining {
  readonly channelId: ChannelId;
  readonly people: readonly UserId[];
  /** Null picks one for each. */
  readonly color: string | null;
  /** A channel of the same unit of work, in which nobody can be yet. */
  readonly isNew: boolean;
}

/** Who became subscribed, and who was already, per channel. */
export interface Joined {
  readonly channelId: ChannelId;
  readonly subscribed: readonly UserId[];
  readonly already: readonly UserId[];
}

/** Subscribes people to channels within a unit of work; whether they may was asked before. */
@Injectable()
export class Joinings {
  constructor(private readonly kernel: Kernel) {}

  async join(work: Work, joinings: readonly Joining[]): Promise<Joined[]> {
    const { realmId } = work;
    const known = joinings.filter(({ isNew }) => !isNew);
    const people = [...new Set(joinings.flatMap((joining) => joining.people))];
    const members = await this.membersAmong(realmId, known, people);
    const wishes = joinings.map(({ channelId, color, people: some }): Subscribing => {
      const candidates = some.map((userId) => ({ userId, isSubscribed: members.has(memberKey(channelId, userId)) }));
      return { channelId, color, candidates };
    });
    for (const fact of subscribe(wishes, await this.usedColors(realmId, people))) {
      const { channelId, userIds } = fact.data;
      work.append(membersStream(channelId), [fact]);
      work.touchesRows(2 * userIds.length);
      for (const user of userIds) {
        work.guard(notYetMember, memberKey(channelId, user));
        work.changesGuard(notYetMember, memberKey(channelId, user));
      }
    }
    return wishes.map(({ channelId, candidates }) => ({
      channelId,
      subscribed: candidates.filter(({ isSubscribed }) => !isSubscribed).map(({ userId }) => userId),
      already: candidates.filter(({ isSubscribed }) => isSubscribed).map(({ userId }) => userId),
    }));
  }

  /** Asked anew each time, so that a second try sees what the first one ran into. */
  private async membersAmong(
    realmId: RealmId,
    joinings: readonly Joining[],
    people: readonly UserId[],
  ): Promise<Set<string>> {
    if (joinings.length === 0 || people.length === 0) return new Set();
    const { rows } = await this.kernel.database.pool.query<{ channel_id: ChannelId; user_id: UserId }>({
      name: 'channels-members-among',
      text: `SELECT channel_id, user_id FROM view.memberships WHERE realm_id = $1 AND channel_id = ANY($2::int8[])
        AND user_id = ANY($3::int8[]) AND to_position IS NULL`,
      values: [realmId, joinings.map(({ channelId }) => channelId), people],
    });
    return new Set(rows.map(({ channel_id, user_id }) => memberKey(channel_id, user_id)));
  }

  private async usedColors(realmId: RealmId, people: readonly UserId[]): Promise<Map<UserId, Set<string>>> {
    if (people.length === 0) return new Map();
    const { rows } = await this.kernel.database.pool.query<{ user_id: UserId; colors: string[] }>({
      name: 'channels-used-colors',
      text: `SELECT user_id, array_agg(DISTINCT color) AS colors FROM view.subscriptions
        WHERE realm_id = $1 AND user_id = ANY($2::int8[]) GROUP BY user_id`,
      values: [realmId, people],
    });
    return new Map(rows.map(({ user_id, colors }) => [user_id, new Set(colors)]));
  }
}
