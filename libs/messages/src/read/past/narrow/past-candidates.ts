import type { ChannelId, ConversationId, MessageId, TopicId, UserId } from '@annals/kernel/domain';
import type { Search } from '../../query/message-search';
import { direction, hidden } from '../../query/finder-sql';
import { narrowStatements } from '../../query/statement-names';
import { SENT_DURING_SQL } from '../../visibility/visibility';
import type { PastReading } from '../past-reading';

/** Where the messages of a narrow were, so that they are found by an index. */
export type PastSource =
  | { readonly kind: 'topics'; readonly ids: readonly TopicId[] }
  | { readonly kind: 'channel'; readonly id: ChannelId }
  | { readonly kind: 'conversation'; readonly id: ConversationId }
  | { readonly kind: 'sender'; readonly id: UserId }
  /** What the account had received. @param protectedChannels own channels that had protected history */
  | { readonly kind: 'received'; readonly protectedChannels: readonly ChannelId[] }
  | { readonly kind: 'everything' };

/** Adds a parameter to a statement. @returns its placeholder */
export type AddParameter = (value: unknown) => string;

/**
 * A condition on row `m` of `view.messages` that holds for every message that matches a term, and perhaps for others: what
 * the row says now may have changed since, if the message was edited.
 */
export type MaybeMatches = (parameter: AddParameter) => string;

/** Where to look, between which ids, from which end, and for how many messages. */
export interface CandidateSearch extends Pick<Search, 'range' | 'order' | 'limit'> {
  readonly source: PastSource;
  readonly maybe: readonly MaybeMatches[];
}

/**
 * The first ids of a range, from one end, that may belong to messages of a source: each message that was there at the moment
 * is among them. Some were not there, or did not exist, or the account could not read them.
 */
export async function readCandidates(reading: PastReading, search: CandidateSearch): Promise<MessageId[]> {
  const { client, realmId } = reading.reader;
  const { range, limit } = search;
  const values: unknown[] = [
    realmId,
    reading.position,
    range.after,
    Math.min(range.before, reading.position + 1),
    limit,
  ];
  const parameter: AddParameter = (value) => `$${values.push(value)}`;
  const sql = new CandidatesSql(reading.userId, search, parameter);
  const text = `SELECT array_to_json(ARRAY(SELECT message_id FROM (${sql.branches().join(' UNION ')}) AS found
    ORDER BY message_id ${direction(search.order)} LIMIT ${LIMIT}))::text AS ids WHERE ${POSITION} IS NOT NULL`;
  const { rows } = await client.query<{ ids: string }>({ ...narrowStatements.named(text), values });
  return JSON.parse(rows[0]?.ids ?? '[]') as MessageId[];
}

/** The placeholders of the position, the limits of the range, and the number of messages. */
const [POSITION, AFTER, BEFORE, LIMIT] = ['$2::int8', hidden(3), hidden(4), hidden(5)];

const inRange = (id: string): string => `${id} > ${AFTER} AND ${id} < ${BEFORE}`;

/** As pairs: by ids alone the planner may scan the messages of the whole organization. */
const inRangeOf = (row: string, column: string, value: string): string =>
  `(${row}.${column}, ${row}.message_id) > (${value}, ${AFTER})
    AND (${row}.${column}, ${row}.message_id) < (${value}, ${BEFORE})`;

/** Tables with messages: those that are there, those that left a topic, and those that were deleted. */
type Table = 'messages' | 'message_moves' | 'deleted_messages' | 'deleted_direct_messages';
type Group = 'topic_id' | 'channel_id' | 'conversation_id';

/** A message that was in a topic is in it, left it later by itself, or was deleted from it later. */
const OF_TOPIC = ['messages', 'message_moves', 'deleted_messages'] as const;

/** A message that left its place by an act after the position was there at it. */
const LATER = `m.position > ${POSITION}`;

/** The sources as SQL: branches that together have each message of a source in a range, and others. */
class CandidatesSql {
  private readonly by: string;
  private readonly matching: string;

  constructor(
    private readonly userId: UserId,
    private readonly search: CandidateSearch,
    private readonly parameter: AddParameter,
  ) {
    this.by = direction(search.order);
    this.matching = search.maybe.map((condition) => ` AND (${condition(parameter)})`).join('');
  }

  branches(): readonly string[] {
    const { source } = this.search;
    switch (source.kind) {
      case 'topics': {
        const topics = `unnest(${this.parameter(source.ids)}::int4[]) AS g(id)`;
        return OF_TOPIC.map((table) => this.pages(table, topics));
      }
      case 'channel':
        return this.ofChannel(`${this.parameter(source.id)}::int4`);
      case 'conversation': {
        const id = `${this.parameter(source.id)}::int4`;
        return [
          this.page('messages', 'conversation_id', id),
          this.page('deleted_direct_messages', 'conversation_id', id),
        ];
      }
      case 'sender': {
        const id = `${this.parameter(source.id)}::int8`;
        return [this.messages(`m.sender_id = ${id}`), this.deletedOf(`(e.data->>'senderId')::int8 = ${id}`)];
      }
      case 'received':
        return this.received(
          `${this.parameter(this.userId)}::int8`,
          `${this.parameter(source.protectedChannels)}::int8[]`,
        );
      case 'everything':
        return [this.messages('true'), this.deleted('deleted_messages'), this.deleted('deleted_direct_messages')];
    }
  }

  /** Topics that are in the channel, and those that left it after the position: they contain all that were in it. */
  private ofChannel(id: string): string[] {
    const there = `SELECT e.topic_id AS id FROM view.topics AS e WHERE e.realm_id = $1 AND e.channel_id = ${id}`;
    const left = `(SELECT DISTINCT y.topic_id AS id FROM view.topic_stays AS y
      WHERE y.realm_id = $1 AND y.channel_id = ${id} AND y.until > ${POSITION}) AS g`;
    return [
      this.page('messages', 'channel_id', id),
      this.page('deleted_messages', 'channel_id', id),
      this.pages('messages', `(${there} AND e.filed_elsewhere) AS g`),
      this.pages('message_moves', `(${there}) AS g`),
      ...OF_TOPIC.map((table) => this.pages(table, left)),
    ];
  }

  /** The first messages of a group in one table, in order. */
  private page(table: Table, group: Group, value: string): string {
    const others = table === 'messages' ? this.matching : ` AND ${LATER}`;
    return `SELECT b.message_id FROM (SELECT ${table === 'messages' ? '' : 'DISTINCT'} m.${group}, m.message_id
      FROM view.${table} AS m WHERE m.realm_id = $1 AND m.${group} IS NOT NULL AND ${inRangeOf('m', group, value)}${others}
      ORDER BY m.${group} ${this.by}, m.message_id ${this.by} LIMIT ${LIMIT}) AS b`;
  }

  /** The same for each of some topics. @param topics a relation `g` with their ids */
  private pages(table: Table, topics: string): string {
    return `SELECT b.message_id FROM ${topics} CROSS JOIN LATERAL (${this.page(table, 'topic_id', 'g.id')}) AS b`;
  }

  private messages(condition: string, joined = ''): string {
    return `SELECT m.message_id FROM ${joined}view.messages AS m
      WHERE m.realm_id = $1 AND ${inRange('m.message_id')} AND ${condition}${this.matching}`;
  }

  private deleted(table: 'deleted_messages' | 'deleted_direct_messages', joined = ''): string {
    return `SELECT m.message_id FROM view.${table} AS m${joined}
      WHERE m.realm_id = $1 AND ${inRange('m.message_id')} AND ${LATER}`;
  }

  /** Deleted messages by what the log says of them, as event `e`. */
  private deletedOf(condition: string): string {
    const sent = ' JOIN events AS e ON e.realm_id = $1 AND e.position = m.message_id';
    const tables = ['deleted_messages', 'deleted_direct_messages'] as const;
    return tables.map((table) => `${this.deleted(table, sent)} AND ${condition}`).join(' UNION ');
  }

  /**
   * The sources of `MessageFinder`, with messages that were deleted since. Messages may have come to channels with protected
   * history by moves, so all messages that ever moved are candidates.
   */
  private received(user: string, protectedChannels: string): string[] {
    const spans = `view.memberships AS s WHERE s.realm_id = $1 AND s.user_id = ${user}`;
    const ofChannels = `(SELECT * FROM ${spans}) AS s JOIN `;
    const conversations = `(SELECT conversation_id FROM view.conversation_members WHERE realm_id = $1 AND user_id = ${user})`;
    const flagged = `view.personal_flags AS f WHERE f.realm_id = $1 AND f.user_id = ${user}`;
    const movedTopics = `(SELECT y.topic_id AS id FROM view.topic_stays AS y
        WHERE y.realm_id = $1 AND y.channel_id = ANY(${protectedChannels})
      UNION SELECT e.topic_id FROM view.topics AS e WHERE e.realm_id = $1 AND e.channel_id = ANY(${protectedChannels})
        AND EXISTS (SELECT FROM view.topic_stays AS y WHERE y.realm_id = $1 AND y.topic_id = e.topic_id))`;
    return [
      this.joined(`${ofChannels}view.messages AS m ON m.realm_id = $1 AND m.channel_id = s.channel_id
        AND m.sent_channel_id = s.channel_id AND ${SENT_DURING_SQL}`),
      this.joined(`${ofChannels}view.messages AS m ON m.realm_id = $1 AND m.sent_channel_id = s.channel_id
        AND m.sent_channel_id <> m.channel_id AND ${SENT_DURING_SQL}`),
      this.joined(`${conversations} AS v JOIN view.messages AS m ON m.realm_id = $1
        AND m.conversation_id = v.conversation_id`),
      this.messages(`m.sender_id = ${user}`),
      `SELECT n.message_id FROM view.mentioned_when_sent AS n
        WHERE n.realm_id = $1 AND n.user_id = ${user} AND ${inRange('n.message_id')}`,
      `SELECT f.message_id FROM ${flagged} AND ${inRange('f.message_id')}`,
      `SELECT w.message_id FROM view.message_moves AS w
        WHERE w.realm_id = $1 AND cardinality(${protectedChannels}) > 0 AND ${inRange('w.message_id')}`,
      `SELECT b.message_id FROM ${movedTopics} AS g CROSS JOIN LATERAL (SELECT m.message_id FROM view.messages AS m
        WHERE m.realm_id = $1 AND m.topic_id IS NOT NULL AND ${inRangeOf('m', 'topic_id', 'g.id')}) AS b`,
      this.deletedOf(`(e.data->>'senderId' = ${user}::text
        OR (e.data->'mentions'->'userIds')::jsonb @> to_jsonb(${user})
        OR (e.data->'place'->>'conversationId')::int4 IN ${conversations}
        OR EXISTS (SELECT FROM ${spans} AND s.channel_id = (e.data->'place'->>'channelId')::int4)
        OR EXISTS (SELECT FROM ${flagged} AND f.message_id = m.message_id))`),
      `${this.deleted('deleted_messages')} AND m.topic_id IN (SELECT g.id FROM ${movedTopics} AS g)`,
    ];
  }

  private joined(relation: string): string {
    return `SELECT m.message_id FROM ${relation} WHERE ${inRange('m.message_id')}${this.matching}`;
  }
}
