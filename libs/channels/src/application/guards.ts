import type { Guard } from '@annals/kernel';
import type { ChannelId, Position, UserId } from '@annals/kernel/domain';
import type { NamedTopicPlace } from '../domain/topic-policies/topic-policies';
import { topicKey } from '../domain/topic-policies/topic-policies';

const PAIRS = `SELECT k.ord FROM (
  SELECT realm_id, split_part(key, ':', 1)::int4 AS channel_id, split_part(key, ':', 2)::int4 AS user_id, ord
  FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)) AS k`;
const MEMBERSHIP = `SELECT FROM view.memberships AS m WHERE m.realm_id = k.realm_id
  AND m.channel_id = k.channel_id AND m.user_id = k.user_id AND m.to_position IS NULL`;

/** Key of one person in one channel. */
export const memberKey = (channel: ChannelId, user: UserId): string => `${channel}:${user}`;

/** The person is subscribed. The key is `channel:user`. A command that unsubscribes users declares it as changed. */
export const stillMember: Guard = {
  name: 'still-member',
  failing: `${PAIRS} WHERE NOT EXISTS (${MEMBERSHIP})`,
};

/** The person is not subscribed. The key is `channel:user`. A command that subscribes users declares it as changed. */
export const notYetMember: Guard = {
  name: 'not-yet-member',
  failing: `${PAIRS} WHERE EXISTS (${MEMBERSHIP})`,
};

/**
 * The channel no longer counts as recently active. The key is its id. A command that changes this declares it as
 * changed.
 */
export const stillDormant: Guard = {
  name: 'still-dormant',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE NOT EXISTS (SELECT FROM view.channel_activity AS a WHERE a.realm_id = k.realm_id
      AND a.channel_id = k.key::int4 AND NOT a.is_recently_active)`,
};

/** No channel has this name, also no archived one. The key is the name in lower case (`channelNameKey`). */
export const channelNameFree: Guard = {
  name: 'channel-name-free',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.channels AS c WHERE c.realm_id = k.realm_id AND c.name_key = k.key)`,
};

const GROUPS = `SELECT k.ord FROM (
  SELECT realm_id, key::int4 AS group_id, ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)
) AS k`;

/** Condition: the value of a group setting is the group of row `k`, or contains it. */
const usesGroup = (value: string): string =>
  `(${value} = to_jsonb(k.group_id) OR ${value}->'directSubgroups' @> to_jsonb(k.group_id))`;

const CHANNEL_USES = `SELECT c.channel_id, s.key AS setting FROM view.channels AS c CROSS JOIN jsonb_each(c.settings) AS s
  WHERE c.realm_id = k.realm_id AND NOT c.is_archived AND ${usesGroup('s.value')}`;

/** Settings of channels that use the group of row `k`, each with its channel. `$1` is a realm and `$2` a group. */
export const CHANNELS_USING = `SELECT u.channel_id AS "channelId", array_agg(u.setting ORDER BY u.setting) AS settings
  FROM (SELECT $1::int4 AS realm_id, $2::int4 AS group_id) AS k CROSS JOIN LATERAL (${CHANNEL_USES}) AS u
  GROUP BY u.channel_id ORDER BY u.channel_id`;

/** See `GroupUses.unused`. The key is the group's id. */
export const groupUnused: Guard = {
  name: 'group-unused',
  failing: `${GROUPS} WHERE EXISTS (${CHANNEL_USES}) OR EXISTS (SELECT FROM view.user_groups AS g
    CROSS JOIN LATERAL (VALUES (g.can_add_members_group), (g.can_join_group), (g.can_leave_group), (g.can_manage_group),
      (g.can_mention_group), (g.can_remove_members_group)) AS s(value)
    WHERE g.realm_id = k.realm_id AND g.group_id <> k.group_id AND NOT g.is_deactivated AND ${usesGroup('s.value')})`,
};

const CHANNELS = `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)`;

/**
 * No channel is in this folder, also no archived one. The key is the folder's id. A command that sets a folder declares
 * it.
 */
export const folderEmpty: Guard = {
  name: 'folder-empty',
  failing: `${CHANNELS} WHERE EXISTS (SELECT FROM view.channels AS c
    WHERE c.realm_id = k.realm_id AND c.folder_id = k.key::int4)`,
};

/** A user is subscribed. The key is the channel's id. A command that unsubscribes users declares it. */
export const hasSubscribers: Guard = {
  name: 'has-subscribers',
  failing: `${CHANNELS} WHERE NOT EXISTS (SELECT FROM view.memberships AS m
    WHERE m.realm_id = k.realm_id AND m.channel_id = k.key::int4 AND m.to_position IS NULL AND NOT m.is_departed)`,
};

/**
 * All messages are in the empty topic. The key is the channel's id. A command that starts another topic or moves one
 * there declares it.
 */
export const noNamedTopics: Guard = {
  name: 'no-named-topics',
  failing: `${CHANNELS} WHERE EXISTS (SELECT FROM view.named_topics AS t
    WHERE t.realm_id = k.realm_id AND t.channel_id = k.key::int4)`,
};

/**
 * The policies for the topic, of all users or of this one, have not changed since a position. The key is `policiesKey`.
 * A command that changes one declares `topicChangeKey`.
 */
export const policiesUnchanged: Guard = {
  name: 'policies-unchanged',
  failing: `SELECT k.ord FROM (
      SELECT realm_id, key::jsonb AS key, ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)
    ) AS k WHERE EXISTS (SELECT FROM view.user_topics AS t WHERE t.realm_id = k.realm_id
      AND t.channel_id = (k.key->>0)::int4 AND t.name_key = k.key->>1 AND t.last_position > (k.key->>2)::int8
      AND (k.key->>3 IS NULL OR t.user_id = (k.key->>3)::int4))`,
  concerns: (key) => {
    const [channelId, name] = JSON.parse(key) as [ChannelId, string];
    return topicChangeKey({ channelId, name });
  },
};

/** @param user null for all users */
export const policiesKey = ({ channelId, name }: NamedTopicPlace, since: Position, user: UserId | null): string =>
  JSON.stringify([channelId, topicKey(name), since, user]);

export const topicChangeKey = ({ channelId, name }: NamedTopicPlace): string => `${channelId} ${topicKey(name)}`;
