import { isSubscribedSql, topicPolicyJoin } from '@annals/channels';
import type { RealmId, UserId } from '@annals/kernel/domain';
import type { MessageRow } from '@annals/messages';
import { ARRIVED_FOR_READER_SQL, PLACE_JOIN, RECEIVED_SQL } from '@annals/messages';
import type { Pool } from 'pg';
import type { ChannelWishes, TopicVisibility } from '../domain/triggers';

/** A user who may be notified of a message. */
export interface MessageRecipient {
  readonly userId: UserId;
  /** Null for a direct message, and without a subscription to its present channel. */
  readonly channel: ChannelWishes | null;
  readonly topic: TopicVisibility;
  /** Whether they can see it now. Null if that depends on more than their subscription. */
  readonly sees: boolean | null;
}

interface Stored {
  readonly userId: UserId;
  readonly isSubscribed: boolean;
  readonly isReceived: boolean;
  readonly isMuted: boolean;
  readonly messages: boolean | null;
  readonly wildcards: boolean | null;
  readonly policy: number | null;
}

const VISIBILITIES: readonly TopicVisibility[] = ['inherits', 'muted', 'unmuted', 'followed'];

/** Conditions and subqueries about the users who may be notified in one way. */
export interface RecipientRules {
  /** Names of prepared statements begin with it. */
  readonly name: string;
  /**
   * Condition: the user `r` can be notified of message `m` in this way. It is a scalar subquery: the planner turns EXISTS
   * into a join, and then may begin with all users of the organization, for each message.
   */
  readonly reachable: string;
  /**
   * The users `user_id` who want all messages of the topic `p`, or of all channels, in this way, beside those who follow the
   * topic. Each part has an index.
   */
  readonly wishing: readonly string[];
  /** The users `user_id` after `$3` who can be notified in this way at all. */
  readonly all: string;
  /** The column of `view.subscriptions` with the wish for all messages of a channel. */
  readonly channelColumn: string;
}

/**
 * The accounts `user_id` that may have notifications of the channel message `m` in the topic `p`, which has no group or
 * wildcard mentions: it mentions them by name, they follow the topic, or have notifications of all messages in the
 * channel or in all channels. Each condition has an index, so the cost of an ordinary message does not depend on the
 * number of subscribers.
 */
const candidates = (wishing: readonly string[]): readonly string[] => [
  `SELECT n.user_id FROM view.mentions AS n WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id`,
  `SELECT f.user_id FROM view.user_topics AS f WHERE f.realm_id = p.realm_id AND f.channel_id = p.channel_id
    AND f.name_key = p.name_key AND f.to_position IS NULL AND f.policy = 3`,
  ...wishing,
];

/** Each user once. */
const usersOf = (parts: readonly string[]): string => parts.join(' UNION ');
/** For a condition: it needs one user, and removing those who are found twice takes longer than looking at them. */
const anyOf = (parts: readonly string[]): string => parts.join(' UNION ALL ');

/** The users with a device. */
const WITH_DEVICE_SQL = `(SELECT true FROM view.push_devices AS d
    WHERE d.realm_id = m.realm_id AND d.user_id = r.user_id AND d.service_device_id IS NOT NULL LIMIT 1)`;

/** Users with devices, for push notifications. */
export const PUSH_RECIPIENTS: RecipientRules = {
  name: 'push',
  reachable: `(SELECT u.is_active FROM view.users AS u
    WHERE u.realm_id = m.realm_id AND u.user_id = r.user_id) AND ${WITH_DEVICE_SQL}`,
  wishing: [
    `SELECT s.user_id FROM view.subscriptions AS s
    WHERE s.realm_id = p.realm_id AND s.channel_id = p.channel_id AND s.push_notifications`,
    `SELECT o.user_id FROM view.own_settings AS o
    WHERE o.realm_id = m.realm_id AND o.name = 'enable_stream_push_notifications' AND o.value = 'true'`,
  ],
  all: `SELECT DISTINCT d.user_id FROM view.push_devices AS d
    WHERE d.realm_id = m.realm_id AND d.user_id > $3 AND d.service_device_id IS NOT NULL`,
  channelColumn: 'push_notifications',
};

/**
 * Condition: a user with a device may be notified of the channel message with that id, which has no group or wildcard
 * mentions. A scalar subquery, because the planner may answer EXISTS for all messages of the organization at once.
 */
export const concernsSomebodySql = (id: string): string => `(SELECT true FROM view.messages AS m ${PLACE_JOIN}
  CROSS JOIN LATERAL (${anyOf(candidates(PUSH_RECIPIENTS.wishing))}) AS r
  WHERE m.realm_id = $1 AND m.message_id = ${id} AND ${WITH_DEVICE_SQL} LIMIT 1)`;

/** The users `r` in the conversation of the direct message `m`. */
const CONVERSATION_JOIN = `JOIN view.conversations AS v ON v.realm_id = m.realm_id AND v.conversation_id = m.conversation_id
  CROSS JOIN LATERAL unnest(v.user_ids) AS r(user_id)`;

const IN_CONVERSATION_SQL = `SELECT unnest(v.user_ids) AS user_id FROM view.conversations AS v
  WHERE v.realm_id = m.realm_id AND v.conversation_id = m.conversation_id`;

/** The same for other ways of notification, and also for direct messages: somebody but the sender may be notified. */
export const concernsOthersSql = (id: string, { wishing, reachable }: RecipientRules): string =>
  `(SELECT true FROM view.messages AS m ${PLACE_JOIN}
  CROSS JOIN LATERAL (${anyOf([IN_CONVERSATION_SQL, ...candidates(wishing)])}) AS r
  WHERE m.realm_id = $1 AND m.message_id = ${id} AND r.user_id <> m.sender_id AND ${reachable} LIMIT 1)`;

const inConversation = (reachable: string, among: string) => `SELECT r.user_id AS "userId", false AS "isSubscribed",
    true AS "isReceived", false AS "isMuted", NULL AS messages, NULL AS wildcards, NULL AS policy
  FROM view.messages AS m ${CONVERSATION_JOIN}
  WHERE m.realm_id = $1 AND m.message_id = $2 AND ${among} AND r.user_id <> m.sender_id AND ${reachable}
  ORDER BY r.user_id LIMIT $4`;

/**
 * The policy of the reader `r` for the topic of message `m`, without the policy that the append of the message itself
 * set: a user who follows a topic because this message mentions them did not have notifications of the whole topic
 * before.
 */
const POLICY_SQL = `CASE WHEN w.policy = 3 AND w.from_position < m.message_id AND EXISTS (SELECT FROM events AS a
      JOIN events AS s ON s.realm_id = a.realm_id AND s.command_id = a.command_id
      WHERE a.realm_id = m.realm_id AND a.position = w.from_position AND s.position = m.message_id)
    THEN (SELECT b.policy FROM view.user_topics AS b WHERE b.realm_id = w.realm_id AND b.user_id = w.user_id
      AND b.channel_id = w.channel_id AND b.name_key = w.name_key AND b.to_position = w.from_position)
    ELSE w.policy END`;

const inChannel = ({ reachable, channelColumn }: RecipientRules, users: string, among: string) => `
  SELECT r.user_id AS "userId", ${isSubscribedSql('p')} AS "isSubscribed",
    c.history_public_to_subscribers OR ${ARRIVED_FOR_READER_SQL} AS "isReceived", coalesce(q.is_muted, false) AS "isMuted",
    q.${channelColumn} AS messages, q.wildcard_mentions_notify AS wildcards, ${POLICY_SQL} AS policy
  FROM view.messages AS m ${PLACE_JOIN} CROSS JOIN LATERAL (${users}) AS r
  LEFT JOIN view.subscriptions AS q
    ON q.realm_id = m.realm_id AND q.user_id = r.user_id AND q.channel_id = p.channel_id
  ${topicPolicyJoin('p')}
  WHERE m.realm_id = $1 AND m.message_id = $2 AND ${among} AND r.user_id <> m.sender_id AND ${reachable}
    AND ${RECEIVED_SQL}
  ORDER BY r.user_id LIMIT $4`;

/** A message as far as its recipients depend on it. */
type Addressed = Pick<MessageRow, 'id' | 'conversationId' | 'mentions'>;

/** Reads the users who may be notified of a message in one way. The sender is never among them. */
export class RecipientReader {
  private readonly statements: Readonly<Record<'direct' | 'of-many' | 'few' | 'direct-among' | 'among', string>>;

  constructor(private readonly rules: RecipientRules) {
    const { reachable, all, wishing } = rules;
    const [after, among] = ['r.user_id > $3', 'r.user_id = ANY($3::int8[])'];
    this.statements = {
      direct: inConversation(reachable, after),
      'of-many': inChannel(rules, all, after),
      few: inChannel(rules, usersOf(candidates(wishing)), after),
      'direct-among': inConversation(reachable, among),
      among: inChannel(rules, 'SELECT unnest($3::int8[]) AS user_id', among),
    };
  }

  /** A page of them, ascending. */
  page(pool: Pool, realmId: RealmId, message: Addressed, after: UserId, limit: number): Promise<MessageRecipient[]> {
    const { conversationId, mentions } = message;
    const mentionsMany = mentions.channelWildcard || mentions.topicWildcard || mentions.groupIds.length > 0;
    const kind = conversationId !== null ? 'direct' : mentionsMany ? 'of-many' : 'few';
    return this.read(pool, kind, realmId, message, [after, limit]);
  }

  /** Those of some users who may be notified of the message, whatever its text mentions. */
  among(pool: Pool, realmId: RealmId, message: Addressed, userIds: readonly UserId[]): Promise<MessageRecipient[]> {
    const kind = message.conversationId !== null ? 'direct-among' : 'among';
    return this.read(pool, kind, realmId, message, [userIds, userIds.length]);
  }

  private async read(
    pool: Pool,
    kind: keyof RecipientReader['statements'],
    realmId: RealmId,
    { id, conversationId }: Addressed,
    rest: readonly unknown[],
  ): Promise<MessageRecipient[]> {
    const name = `${this.rules.name}-recipients-${kind}`;
    const { rows } = await pool.query<Stored>({
      name,
      text: this.statements[kind],
      values: [realmId, id, ...rest],
    });
    return rows.map(({ userId, isSubscribed, isReceived, isMuted, messages, wildcards, policy }) => ({
      userId,
      channel: isSubscribed ? { isMuted, messages, wildcards } : null,
      topic: VISIBILITIES[policy ?? 0] ?? 'inherits',
      sees: conversationId !== null || isSubscribed ? isReceived : null,
    }));
  }
}
