import { isSubscribedSql, topicPolicyJoin } from '@annals/channels';
import type { RealmId, UserId } from '@annals/kernel/domain';
import type { MessageRow } from '@annals/messages';
import { ARRIVED_FOR_READER_SQL, PLACE_JOIN, RECEIVED_SQL } from '@annals/messages';
import type { Pool } from 'pg';
import type { ChannelPushSettings, TopicVisibility } from '../domain/triggers';

/** A recipient of a message with a device. */
export interface PushRecipient {
  readonly userId: UserId;
  /** Null for a direct message, and without a subscription to its present channel. */
  readonly channel: ChannelPushSettings | null;
  readonly topic: TopicVisibility;
  /** Whether they can see it now. Null if that depends on more than their subscription. */
  readonly sees: boolean | null;
}

interface Stored {
  readonly userId: UserId;
  readonly isSubscribed: boolean;
  readonly isReceived: boolean;
  readonly isMuted: boolean;
  readonly push: boolean | null;
  readonly wildcards: boolean | null;
  readonly policy: number | null;
}

const VISIBILITIES: readonly TopicVisibility[] = ['inherits', 'muted', 'unmuted', 'followed'];

/** Condition: the account `r` is active and has a registered device. */
const REACHABLE_SQL = `EXISTS (SELECT FROM view.users AS u
    WHERE u.realm_id = m.realm_id AND u.user_id = r.user_id AND u.is_active)
  AND EXISTS (SELECT FROM view.push_devices AS d
    WHERE d.realm_id = m.realm_id AND d.user_id = r.user_id AND d.service_device_id IS NOT NULL)`;

/**
 * The accounts `user_id` that may have notifications of the channel message `m` in the topic `p`, which has no group or
 * wildcard mentions: it mentions them by name, they follow the topic, or have notifications of all messages in the
 * channel or in all channels. Each condition has an index, so the cost of an ordinary message does not depend on the
 * number of subscribers and devices.
 */
const RECIPIENTS_SQL = `SELECT n.user_id FROM view.mentions AS n
    WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id
  UNION SELECT f.user_id FROM view.user_topics AS f WHERE f.realm_id = p.realm_id AND f.channel_id = p.channel_id
    AND f.name_key = p.name_key AND f.to_position IS NULL AND f.policy = 3
  UNION SELECT s.user_id FROM view.subscriptions AS s
    WHERE s.realm_id = p.realm_id AND s.channel_id = p.channel_id AND s.push_notifications
  UNION SELECT o.user_id FROM view.own_settings AS o
    WHERE o.realm_id = m.realm_id AND o.name = 'enable_stream_push_notifications' AND o.value = 'true'`;

/**
 * Condition: a user with a device may be notified of the channel message with that id, which has no group or wildcard
 * mentions.
 */
export const concernsSomebodySql = (id: string): string => `EXISTS (SELECT FROM view.messages AS m ${PLACE_JOIN}
  CROSS JOIN LATERAL (${RECIPIENTS_SQL}) AS r
  WHERE m.realm_id = $1 AND m.message_id = ${id} AND EXISTS (SELECT FROM view.push_devices AS d
    WHERE d.realm_id = m.realm_id AND d.user_id = r.user_id AND d.service_device_id IS NOT NULL))`;

/** All users of the organization with a device, for a message with group or wildcard mentions. */
const WITH_DEVICE_SQL = `SELECT DISTINCT d.user_id FROM view.push_devices AS d
    WHERE d.realm_id = m.realm_id AND d.user_id > $3 AND d.service_device_id IS NOT NULL`;

const IN_CONVERSATION = `SELECT r.user_id AS "userId", false AS "isSubscribed", true AS "isReceived", false AS "isMuted",
    NULL AS push, NULL AS wildcards, NULL AS policy
  FROM view.messages AS m JOIN view.conversation_members AS r
    ON r.realm_id = m.realm_id AND r.conversation_id = m.conversation_id
  WHERE m.realm_id = $1 AND m.message_id = $2 AND r.user_id > $3 AND r.user_id <> m.sender_id AND ${REACHABLE_SQL}
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

const inChannel = (candidates: string) => `SELECT r.user_id AS "userId", ${isSubscribedSql('p')} AS "isSubscribed",
    c.history_public_to_subscribers OR ${ARRIVED_FOR_READER_SQL} AS "isReceived", coalesce(q.is_muted, false) AS "isMuted",
    q.push_notifications AS push, q.wildcard_mentions_notify AS wildcards, ${POLICY_SQL} AS policy
  FROM view.messages AS m ${PLACE_JOIN} CROSS JOIN LATERAL (${candidates}) AS r
  LEFT JOIN view.subscriptions AS q
    ON q.realm_id = m.realm_id AND q.user_id = r.user_id AND q.channel_id = p.channel_id
  ${topicPolicyJoin('p')}
  WHERE m.realm_id = $1 AND m.message_id = $2 AND r.user_id > $3 AND r.user_id <> m.sender_id AND ${REACHABLE_SQL}
    AND ${RECEIVED_SQL}
  ORDER BY r.user_id LIMIT $4`;

/** By name of the prepared statement. */
const STATEMENTS = {
  'push-recipients-direct': IN_CONVERSATION,
  'push-recipients-of-many': inChannel(WITH_DEVICE_SQL),
  'push-recipients': inChannel(RECIPIENTS_SQL),
};

/** A page of users who may be notified of a message, ascending, without the sender. */
export async function readPushRecipients(
  pool: Pool,
  realmId: RealmId,
  { id, conversationId, mentions }: Pick<MessageRow, 'id' | 'conversationId' | 'mentions'>,
  after: UserId,
  limit: number,
): Promise<PushRecipient[]> {
  const isDirect = conversationId !== null;
  const mentionsMany = mentions.channelWildcard || mentions.topicWildcard || mentions.groupIds.length > 0;
  const name = isDirect ? 'push-recipients-direct' : mentionsMany ? 'push-recipients-of-many' : 'push-recipients';
  const values = [realmId, id, after, limit];
  const { rows } = await pool.query<Stored>({ name, text: STATEMENTS[name], values });
  return rows.map(({ userId, isSubscribed, isReceived, isMuted, push, wildcards, policy }) => ({
    userId,
    channel: isSubscribed ? { isMuted, push, wildcards } : null,
    topic: VISIBILITIES[policy ?? 0] ?? 'inherits',
    sees: isDirect || isSubscribed ? isReceived : null,
  }));
}
