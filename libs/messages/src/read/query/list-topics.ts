import { ChannelFacts, historyScope } from '@annals/channels';
import type { HistoryScope } from '@annals/channels';
import { Kernel, containsSql } from '@annals/kernel';
import type { Actor, ChannelId, MessageId } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';

/** A topic of a channel's list, under the name of its newest message. */
export interface ListedTopic {
  readonly name: string;
  readonly newest: MessageId;
}

/** The topics of a channel that a user can read, newest first (contract/messages.md section 4.5). */
export class ListTopics extends Query<readonly ListedTopic[]> {
  constructor(
    readonly by: Actor,
    readonly channelId: ChannelId,
  ) {
    super();
  }
}

@QueryHandler(ListTopics)
export class ListTopicsHandler implements IQueryHandler<ListTopics> {
  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
  ) {}

  /** @throws Rejected BAD_REQUEST for a channel that the actor cannot read, as for one that does not exist */
  async execute({ by, channelId }: ListTopics): Promise<readonly ListedTopic[]> {
    const channel = await this.channels.byId(by.realmId, channelId);
    const own = await this.channels.subscribedBy(by.realmId, by.userId);
    const scope = channel ? historyScope(channel, by, own.has(channelId)) : 'none';
    if (scope === 'none') throw reject.unknownChannel();
    const { rows } = await this.kernel.database.pool.query<ListedTopic>({
      name: `topics-of-channel-${scope}`,
      text: `WITH newest AS (${NEWEST[scope]})
        SELECT name, newest FROM (
          SELECT DISTINCT ON (t.name_key) t.name, n.message_id AS newest FROM newest AS n
          JOIN view.topics AS t ON t.realm_id = $1 AND t.topic_id = n.topic_id
          ORDER BY t.name_key, n.message_id DESC) AS listed
        ORDER BY newest DESC`,
      values: [by.realmId, channelId, ...(scope === 'received' ? [by.userId] : [])],
    });
    return rows;
  }
}

/**
 * The newest message of topic `t` between two ids. Compared and ordered as pairs, so that the index by topic and message
 * answers with one probe: by ids alone the planner may scan back from the newest message of all.
 */
const newestBetween = (after: string, before: string, condition = 'true'): string => `SELECT m.topic_id, m.message_id
  FROM view.messages AS m WHERE m.realm_id = t.realm_id AND m.topic_id IS NOT NULL
    AND (m.topic_id, m.message_id) > (t.topic_id, ${after}) AND (m.topic_id, m.message_id) < (t.topic_id, ${before})
    AND ${condition} ORDER BY m.topic_id DESC, m.message_id DESC LIMIT 1`;

const FIRST = '0::int8';
const LAST = `${Number.MAX_SAFE_INTEGER}::int8`;

/** The memberships `s` of a reader in a channel. */
const MEMBERSHIPS = 'view.memberships AS s ON s.realm_id = $1 AND s.channel_id = $2 AND s.user_id = $3';
/** Condition: message `m` was sent to the channel of topic `t` and has not been moved to another channel. */
const STAYED = 'm.arrived = m.message_id AND t.arrived < m.message_id';

/**
 * By the part of a channel's history that a user may read. Messages that they received are found by the spans of a
 * membership, and those that they sent or that mentioned them one by one: the same rule as `VISIBLE_SQL`, in the other
 * direction. A moved message counts by its arrival: single messages one by one, large topics as a whole.
 */
const NEWEST: Readonly<Record<Exclude<HistoryScope, 'none'>, string>> = {
  all: `SELECT n.* FROM view.topics AS t CROSS JOIN LATERAL (${newestBetween(FIRST, LAST)}) AS n
    WHERE t.realm_id = $1 AND t.channel_id = $2`,
  received: `SELECT n.* FROM view.topics AS t JOIN ${MEMBERSHIPS}
      CROSS JOIN LATERAL (${newestBetween('s.from_position', `coalesce(s.to_position, ${LAST})`, STAYED)}) AS n
      WHERE t.realm_id = $1 AND t.channel_id = $2
    UNION ALL SELECT m.topic_id, m.message_id FROM view.messages AS m JOIN ${MEMBERSHIPS}
      JOIN view.topics AS t ON t.realm_id = $1 AND t.topic_id = m.topic_id AND t.channel_id = $2 AND t.arrived < m.arrived
      WHERE m.realm_id = $1 AND m.channel_id = $2 AND m.arrived <> m.message_id AND ${containsSql('s', 'm.arrived')}
    UNION ALL SELECT n.* FROM view.topics AS t JOIN ${MEMBERSHIPS}
      CROSS JOIN LATERAL (${newestBetween(FIRST, LAST, 'm.arrived <= t.arrived')}) AS n
      WHERE t.realm_id = $1 AND t.channel_id = $2 AND t.filed_elsewhere AND ${containsSql('s', 't.arrived')}
    UNION ALL SELECT m.topic_id, m.message_id FROM view.messages AS m
      JOIN view.topics AS t ON t.realm_id = $1 AND t.topic_id = m.topic_id AND t.channel_id = $2 AND ${STAYED}
      WHERE m.realm_id = $1 AND m.sender_id = $3
    UNION ALL SELECT m.topic_id, m.message_id FROM view.mentioned_when_sent AS c
      JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = c.message_id
      JOIN view.topics AS t ON t.realm_id = $1 AND t.topic_id = m.topic_id AND t.channel_id = $2 AND ${STAYED}
      WHERE c.realm_id = $1 AND c.user_id = $3`,
};
