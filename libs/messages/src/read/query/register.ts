import { READER, isMutedSql, readerValues, topicPolicyJoin } from '@annals/channels';
import type { Moment } from '@annals/groups';
import { readMembership } from '@annals/groups';
import type { RegisterBlock } from '@annals/kernel';
import { inTurns } from '@annals/kernel';
import type { Actor, ChannelId, GroupId, MessageId, Position, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { shownTopic } from '../content/present-message';
import { SENT_DURING_SQL, newestReceived } from './newest-received';
import { readImplicitReads } from '../history/implicit-reads';
import { CHANGED_CHANNEL_SQL } from '../placement/placement-sql';
import { READ_SQL, MAYBE_UNREAD_SQL } from '../unread/unread-sql';
import { PLACE_JOIN, VISIBLE_SQL } from '../visibility/visibility';

/** The initial state of messages for a client (contract/boot.md section 4.1). */
export const messagesRegisterBlock: RegisterBlock = {
  keys: ['message', 'recent_private_conversations', 'unread_msgs'],
  async read({ client, position }, by, { keys, capabilities }) {
    return {
      ...(keys.has('message') && { max_message_id: await newestReceived(client, by) }),
      ...(keys.has('recent_private_conversations') && {
        recent_private_conversations: await recentConversations(client, by),
      }),
      ...(keys.has('unread_msgs') && {
        unread_msgs: await presentUnread(await unreadMessages(client, by, position), by, capabilities.empty_topic_name),
      }),
    };
  },
};

/** Maximum of conversations in the answer. */
const MAX_CONVERSATIONS = 1_000;

async function recentConversations(client: ClientBase, { realmId, userId }: Actor) {
  const { rows } = await client.query<{ newest: MessageId; user_ids: (string | number)[] }>({
    name: 'messages-recent-conversations',
    text: `SELECT n.message_id AS newest, c.user_ids FROM view.conversation_members AS v
      JOIN view.conversations AS c ON c.realm_id = v.realm_id AND c.conversation_id = v.conversation_id
      CROSS JOIN LATERAL (SELECT m.message_id FROM view.messages AS m WHERE m.realm_id = v.realm_id
        AND m.conversation_id = v.conversation_id ORDER BY m.message_id DESC LIMIT 1) AS n
      WHERE v.realm_id = $1 AND v.user_id = $2 ORDER BY n.message_id DESC LIMIT $3`,
    values: [realmId, userId, MAX_CONVERSATIONS],
  });
  return rows.map(({ newest, user_ids }) => ({
    max_message_id: newest,
    user_ids: user_ids.map(Number).filter((id) => id !== userId),
  }));
}

/** An unread message with the fields of the summary. */
interface Unread {
  readonly id: MessageId;
  readonly channelId: ChannelId | null;
  readonly topic: string | null;
  readonly userIds: readonly (string | number)[] | null;
  /** Whether its topic is muted, or its channel and not its topic unmuted. */
  readonly isMuted: boolean;
  /** Mentioned by name or as a member of a group. */
  readonly mentioned: boolean;
  readonly mentionedByWildcard: boolean;
}

/** Maximum of unread messages in the answer. */
const MAX_UNREAD = 50_000;
/** Positions that are searched first; each further search covers GROWTH times as many. */
const FIRST_STRETCH = 65_536;
const GROWTH = 4;

/** The newest unread messages, newest first; one more than the maximum where there are more. */
async function unreadMessages(client: ClientBase, by: Actor, head: Position): Promise<Unread[]> {
  const found: Unread[] = [];
  let before = head + 1;
  for (let stretch = FIRST_STRETCH; found.length <= MAX_UNREAD && before > 1; stretch *= GROWTH) {
    const after = Math.max(0, before - stretch);
    const { rows } = await client.query<Found>({
      name: 'messages-unread',
      text: UNREAD_WITHIN,
      values: [...readerValues(by), after, before, MAX_UNREAD + 1],
    });
    const together = await withoutParted(client, by, rows);
    for (const row of await withGroups(client, by, together)) found.push(row);
    const last = rows.at(-1);
    before = last && rows.length > MAX_UNREAD ? last.id : after + 1;
  }
  return found.slice(0, MAX_UNREAD + 1);
}

interface Found extends Unread, Call {
  /** It went to another channel: the account may have parted from it on the way. */
  readonly travelled: boolean;
}

/** Journeys are followed here, once for each topic; a query would follow each message's by itself. */
async function withoutParted(client: ClientBase, { realmId, userId }: Actor, rows: Found[]): Promise<Found[]> {
  const travelled = rows.filter((row) => row.travelled).map(({ id }) => id);
  if (travelled.length === 0) return rows;
  const parted = await readImplicitReads(client, realmId, travelled, [userId]);
  return rows.filter((row) => !row.travelled || parted(row.id, userId) === undefined);
}

/** Groups that a text mentions, and when it was written. */
interface Call extends Moment {
  readonly mentionedGroups: readonly (string | number)[] | null;
}

/** A mention of a group mentions its members (contract/messages.md section 8). */
async function withGroups(
  client: ClientBase,
  { realmId, userId }: Actor,
  rows: readonly (Unread & Call)[],
): Promise<Unread[]> {
  const groupsOf = ({ mentionedGroups }: Call) => (mentionedGroups ?? []).map(Number) as GroupId[];
  const wasIn = await readMembership({ client, realmId }, rows.flatMap(groupsOf), [userId]);
  const isMeant = (row: Unread & Call) => row.mentioned || groupsOf(row).some((group) => wasIn(group, userId, row));
  return rows.map((row) => (isMeant(row) === row.mentioned ? row : { ...row, mentioned: true }));
}

const IN_RANGE = 'm.message_id > $6::int8 AND m.message_id < $7::int8';

/** Messages that may be unread although they were moved, or were sent before the account was deactivated and reactivated. */
const EXCEPTIONS = [
  `JOIN view.memberships AS s ON s.realm_id = $1 AND s.user_id = r.user_id AND s.held_until > s.to_position
    JOIN view.messages AS m ON m.realm_id = $1 AND m.channel_id = s.channel_id AND ${SENT_DURING_SQL} AND ${IN_RANGE}`,
  `JOIN view.memberships AS s ON s.realm_id = $1 AND s.user_id = r.user_id
    JOIN view.messages AS m ON m.realm_id = $1 AND m.channel_id = s.channel_id AND m.sent_channel_id = s.channel_id
      AND ${SENT_DURING_SQL} AND ${IN_RANGE}
    JOIN view.topics AS p ON p.realm_id = $1 AND p.topic_id = m.topic_id AND ${CHANGED_CHANNEL_SQL}`,
  `JOIN view.memberships AS s ON s.realm_id = $1 AND s.user_id = r.user_id
    JOIN view.messages AS m ON m.realm_id = $1 AND m.sent_channel_id = s.channel_id
      AND m.sent_channel_id <> m.channel_id AND ${SENT_DURING_SQL} AND ${IN_RANGE}`,
].map((from) => `SELECT m.message_id FROM ${READER} ${from}`);

/**
 * What reached the account since it came to the channels it is subscribed to now and stayed there, what it was told
 * directly, and the exceptions, each of which is looked at by itself: only these may be where it cannot see them. The limit stands inside: outside it would make
 * PostgreSQL go through all messages backwards where it expects few that are unread.
 */
const UNREAD_WITHIN = `WITH exceptions AS (${EXCEPTIONS.join(' UNION ')}),
  unread AS (SELECT message_id FROM (
    SELECT m.message_id FROM ${READER} JOIN view.memberships AS s ON s.realm_id = $1 AND s.user_id = r.user_id
      JOIN view.messages AS m ON m.realm_id = $1 AND m.channel_id = s.channel_id AND ${IN_RANGE}
        AND m.message_id > s.from_position
      JOIN view.topics AS p ON p.realm_id = $1 AND p.topic_id = m.topic_id AND NOT ${CHANGED_CHANNEL_SQL}
      WHERE s.to_position IS NULL AND NOT ${READ_SQL}
    UNION SELECT m.message_id FROM ${READER} CROSS JOIN exceptions AS x
      JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = x.message_id ${PLACE_JOIN}
      WHERE m.conversation_id IS NULL AND ${MAYBE_UNREAD_SQL} AND ${VISIBLE_SQL}
    UNION SELECT m.message_id FROM ${READER}
      JOIN view.conversation_members AS v ON v.realm_id = $1 AND v.user_id = r.user_id
      JOIN view.messages AS m ON m.realm_id = $1 AND m.conversation_id = v.conversation_id AND ${IN_RANGE}
      WHERE NOT ${READ_SQL}) AS found ORDER BY message_id DESC LIMIT $8)
  SELECT m.message_id AS id, p.channel_id AS "channelId", p.name AS topic, c.user_ids AS "userIds",
    ${isMutedSql('coalesce(o.is_muted, false)')} AS "isMuted",
    n.user_id IS NOT NULL AS mentioned, m.mentioned_groups AS "mentionedGroups", m.content_position AS position,
    coalesce(m.edited_at, m.sent_at) AS at, m.conversation_id IS NULL AND ${CHANGED_CHANNEL_SQL} AS travelled,
    m.channel_wildcard OR coalesce(r.user_id = ANY(m.topic_participants), false) AS "mentionedByWildcard"
  FROM ${READER} CROSS JOIN unread
  JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = unread.message_id
  LEFT JOIN view.topics AS p ON p.realm_id = $1 AND p.topic_id = m.topic_id
  LEFT JOIN view.conversations AS c ON c.realm_id = $1 AND c.conversation_id = m.conversation_id
  LEFT JOIN view.subscriptions AS o ON o.realm_id = $1 AND o.channel_id = p.channel_id AND o.user_id = r.user_id
  ${topicPolicyJoin('p')}
  LEFT JOIN view.mentions AS n ON n.realm_id = $1 AND n.message_id = m.message_id AND n.user_id = r.user_id
  ORDER BY m.message_id DESC`;

/** An unread direct message, with those in its conversation. */
interface Direct {
  readonly id: MessageId;
  readonly people: readonly UserId[];
  /** The other user, or the reader themselves. */
  readonly other: UserId;
}

/** Unread messages that are presented in one turn of the event loop. */
const AT_ONCE = 5_000;

/** contract/boot.md section 8 */
async function presentUnread(newestFirst: readonly Unread[], { userId }: Actor, allowEmptyTopicName: boolean) {
  const messages = newestFirst.slice(0, MAX_UNREAD).reverse();
  const direct: Direct[] = [];
  const streams = new Map<string, { stream_id: ChannelId; topic: string; unread_message_ids: MessageId[] }>();
  const describe = ({ id, channelId, topic, userIds }: Unread) => {
    if (channelId === null) {
      const people = (userIds ?? []).map(Number) as UserId[];
      direct.push({ id, people, other: people.find((one) => one !== userId) ?? userId });
      return;
    }
    const shown = shownTopic(topic ?? '', allowEmptyTopicName);
    const key = `${channelId} ${shown.toLowerCase()}`;
    const entry = streams.get(key) ?? { stream_id: channelId, topic: shown, unread_message_ids: [] };
    entry.topic = shown;
    entry.unread_message_ids.push(id);
    streams.set(key, entry);
  };
  for await (const some of inTurns(messages, AT_ONCE)) some.forEach(describe);
  const isHuddle = ({ people }: Direct) => people.length > 2;
  const idOf = ({ id }: Direct) => id;
  const pms = grouped(
    direct.filter((one) => !isHuddle(one)),
    ({ other }) => other,
    idOf,
  );
  const huddles = grouped(direct.filter(isHuddle), ({ people }) => people.join(), idOf);
  const isLoud = ({ isMuted }: Unread) => !isMuted;
  return {
    count: messages.filter(isLoud).length,
    pms: [...pms].map(([other, unread_message_ids]) => ({
      other_user_id: other,
      sender_id: other,
      unread_message_ids,
    })),
    streams: [...streams.values()],
    huddles: [...huddles].map(([user_ids_string, unread_message_ids]) => ({ user_ids_string, unread_message_ids })),
    mentions: messages.filter((one) => one.mentioned || (one.mentionedByWildcard && isLoud(one))).map(({ id }) => id),
    old_unreads_missing: newestFirst.length > MAX_UNREAD,
  };
}
