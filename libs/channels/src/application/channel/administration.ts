import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Channel } from '../../domain/channel/channel';
import { channelAggregate } from '../../domain/channel/channel';
import { reject } from '../../domain/rejections';
import { ChannelFacts } from '../../read/channel/channel-facts';
import { memberKey, stillMember } from '../guards';

/** The facts for changes of a channel as a whole. */
@Injectable()
export class Administration {
  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
  ) {}

  /**
   * The channel, and whether the actor is subscribed to it. The append depends on both.
   *
   * @throws Rejected BAD_REQUEST when there is no such channel
   */
  async channel(work: Work, id: ChannelId): Promise<{ readonly channel: Channel; readonly isSubscribed: boolean }> {
    const channel = await work.read(channelAggregate, id);
    if (!channel) throw reject.unknownChannel();
    const isSubscribed = (await this.channels.subscribedBy(work.realmId, work.actor.userId)).has(id);
    if (isSubscribed) work.guard(stillMember, memberKey(id, work.actor.userId));
    return { channel, isSubscribed };
  }

  /**
   * Whether anybody is subscribed, and whether any message has a topic with a name. Callers that depend on it guard it.
   */
  async figures(work: Work, id: ChannelId): Promise<{ hasSubscribers: boolean; hasNamedTopics: boolean }> {
    const { rows } = await this.kernel.database.pool.query<{ hasSubscribers: boolean; hasNamedTopics: boolean }>({
      name: 'channels-figures',
      text: `SELECT EXISTS (SELECT FROM view.memberships WHERE realm_id = $1 AND channel_id = $2
          AND to_position IS NULL AND NOT is_departed) AS "hasSubscribers",
        EXISTS (SELECT FROM view.named_topics WHERE realm_id = $1 AND channel_id = $2) AS "hasNamedTopics"`,
      values: [work.realmId, id],
    });
    return rows[0] ?? { hasSubscribers: false, hasNamedTopics: false };
  }
}
