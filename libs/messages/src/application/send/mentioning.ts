import { subscriberCounts } from '@annals/channels';
import { GroupFacts, mayMentionGroup } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { AnalyzedContent } from '../../domain/message/message';
import { mayMention } from '../../domain/policies';

/** Checks whether the author may mention the users, groups and wildcards of a text. Queries run only where the answer matters. */
@Injectable()
export class Mentioning {
  constructor(
    private readonly kernel: Kernel,
    private readonly groups: GroupFacts,
  ) {}

  /**
   * The users of a topic wildcard are determined when it is written: those who participated in the topic by then, wherever their
   * messages are moved later.
   *
   * @param place the channel and the topic that the text goes to, by one or all of its ids; null for a direct message
   * @returns the text with the users of its topic wildcard
   * @throws Rejected (contract/messages.md section 3.1)
   */
  async allowed(
    { words, facts }: AnalyzedContent,
    author: Actor,
    settings: RealmSettings,
    place: { readonly channelId: ChannelId; readonly topicIds: readonly TopicId[] } | null,
  ): Promise<AnalyzedContent> {
    const { channelWildcard, topicWildcard, groupIds } = facts.mentions;
    if (!channelWildcard && !topicWildcard && groupIds.length === 0) return { words, facts };
    const { realmId } = author;
    const known = groupIds.length === 0 ? null : await this.groups.of(realmId);
    const groupRules = { canManageAll: settings.can_manage_all_groups };
    const groups = groupIds.flatMap((id) => known?.get(id) ?? []);
    const rules = {
      subscribers: channelWildcard && place ? await this.subscribers(realmId, place.channelId) : 0,
      canMentionMany: settings.can_mention_many_users_group,
      mayMentionGroups: groups.every((group) => mayMentionGroup(group, author, groupRules)),
    };
    const participantIds = topicWildcard && place && (await this.participants(author, place.topicIds));
    const mentions = { ...facts.mentions, ...(participantIds && { participantIds }) };
    ensure(mayMention(mentions, author, rules));
    return { words, facts: { ...facts, mentions } };
  }

  private async subscribers(realmId: RealmId, channel: ChannelId): Promise<number> {
    return (await subscriberCounts(this.kernel.database.pool, realmId, [channel])).get(channel) ?? 0;
  }

  /** Users who sent messages to the topics or reacted to some, and the author, ascending. */
  private async participants({ realmId, userId }: Actor, topics: readonly TopicId[]): Promise<UserId[]> {
    const { rows } = await this.kernel.database.pool.query<{ id: UserId }>({
      name: 'messages-topic-participants',
      text: `WITH w AS (SELECT w.message_id, w.sender_id FROM view.topics AS own
          JOIN view.topics AS t ON t.realm_id = own.realm_id AND t.channel_id = own.channel_id
            AND t.name_key = own.name_key
          JOIN view.messages AS w ON w.realm_id = t.realm_id AND w.topic_id = t.topic_id
          WHERE own.realm_id = $1 AND own.topic_id = ANY($2::int8[]))
        SELECT sender_id AS id FROM w UNION SELECT x.user_id FROM w
          JOIN view.reactions AS x ON x.realm_id = $1 AND x.message_id = w.message_id AND x.removed_position IS NULL
        UNION SELECT $3::int8 ORDER BY id`,
      values: [realmId, topics, userId],
    });
    return rows.map(({ id }) => id);
  }
}
