import { overlapsSql } from '@annals/kernel';
import type { ChannelId, Instant, Position, RealmId, Span, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { NamedTopicPlace, PoliciesByPerson } from '../../domain/topic-policies/topic-policies';
import { topicKey } from '../../domain/topic-policies/topic-policies';
import type { TopicPolicy } from '../../domain/topic-policies/topic-policy-events';

/** Policies of topics as they were right after the event at a position. */
export interface PoliciesAt {
  readonly position: Position;
  /** By topic, in the order in which the topics were named. */
  readonly policies: readonly PoliciesByPerson[];
}

/**
 * Reads policies for topics, and the position up to which they are complete, so that an append can depend on it.
 *
 * @param users null for all users
 */
export async function readPoliciesAt(
  client: Pool | ClientBase,
  realmId: RealmId,
  topics: readonly NamedTopicPlace[],
  users: readonly UserId[] | null,
): Promise<PoliciesAt> {
  const { rows } = await client.query<{ position: Position } & (Chosen | { readonly ord: null })>({
    name: 'channels-topic-policies-at',
    text: `SELECT h.position, t.ord, t.user_id AS user, t.policy FROM realm_heads AS h
      LEFT JOIN (SELECT k.ord, w.user_id, w.policy
        FROM unnest($2::int4[], $3::text[]) WITH ORDINALITY AS k(channel_id, name_key, ord)
        JOIN view.user_topics AS w ON w.realm_id = $1 AND w.channel_id = k.channel_id AND w.name_key = k.name_key
        WHERE w.to_position IS NULL AND ($4::int4[] IS NULL OR w.user_id = ANY($4))) AS t ON true
      WHERE h.realm_id = $1 ORDER BY t.user_id`,
    values: [realmId, topics.map(({ channelId }) => channelId), topics.map(({ name }) => topicKey(name)), users],
  });
  const policies = topics.map(() => new Map<UserId, TopicPolicy>());
  for (const row of rows) if (row.ord !== null) policies[row.ord - 1]?.set(row.user, row.policy);
  return { position: rows[0]?.position ?? (0 as Position), policies };
}

interface Chosen {
  readonly ord: number;
  readonly user: UserId;
  readonly policy: TopicPolicy;
}

/** A policy for one topic, as clients see it. */
export interface ChosenPolicy {
  readonly channelId: ChannelId;
  readonly name: string;
  readonly policy: TopicPolicy;
  readonly updatedAt: Instant;
}

/** All policies of a user, by channel and name. */
export async function readChosenPolicies(
  client: Pool | ClientBase,
  realmId: RealmId,
  user: UserId,
): Promise<ChosenPolicy[]> {
  const { rows } = await client.query<ChosenPolicy>({
    name: 'channels-chosen-policies',
    text: `SELECT channel_id AS "channelId", name, policy, updated_at AS "updatedAt" FROM view.user_topics
      WHERE realm_id = $1 AND user_id = $2 AND to_position IS NULL ORDER BY channel_id, name_key`,
    values: [realmId, user],
  });
  return rows;
}

/** A topic while it was muted. */
export interface MutedTopic extends Span {
  readonly userId: UserId;
  readonly channelName: string;
  readonly isArchived: boolean;
  readonly name: string;
  readonly mutedAt: Instant;
}

/**
 * Topics that users had muted between two positions, for the older form of the list, which names channels. It leaves
 * out private channels that the user is not subscribed to now, because they may no longer see the names.
 */
export async function readMutedTopics(
  client: Pool | ClientBase,
  realmId: RealmId,
  users: readonly UserId[],
  within: { readonly first: Position; readonly last: Position },
): Promise<MutedTopic[]> {
  if (users.length === 0) return [];
  const { rows } = await client.query<MutedTopic>({
    name: 'channels-muted-topics',
    text: `SELECT w.user_id AS "userId", c.name AS "channelName", c.is_archived AS "isArchived", w.name,
        w.updated_at AS "mutedAt", w.from_position AS from, w.to_position AS to
      FROM view.user_topics AS w
      JOIN view.channels AS c ON c.realm_id = w.realm_id AND c.channel_id = w.channel_id
      JOIN view.users AS u ON u.realm_id = w.realm_id AND u.user_id = w.user_id
      WHERE w.realm_id = $1 AND w.user_id = ANY($2::int8[]) AND w.policy = 1
        AND ${overlapsSql('w', '$3', '$4')}
        AND (c.is_web_public OR (NOT c.invite_only AND u.role < 600)
          OR EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = w.realm_id AND s.user_id = w.user_id
            AND s.channel_id = w.channel_id AND s.to_position IS NULL))
      ORDER BY w.channel_id, w.name_key`,
    values: [realmId, users, within.first, within.last],
  });
  return rows;
}
