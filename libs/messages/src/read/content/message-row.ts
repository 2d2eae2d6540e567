import { longWork } from '@annals/kernel';
import type { Instant, MessageId, Position, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import type { LinkPreview, LinkifierSet } from '@annals/markdown';
import type { UserRow } from '@annals/users';
import { mutersSql } from '@annals/users';
import type { ClientBase, Pool } from 'pg';
import type { MessageContentFacts, MessageSent } from '../../domain/events';
import { sentData } from '../../domain/message/stored-data';
import type { MessageChange } from './changes';
import type { Text } from './texts';
import type { VisibilityFacts } from '../visibility/visibility';
import type { Arrival } from '../placement/read-on-arrival';
import { ARRIVED_SQL, PLACE_JOIN } from '../visibility/visibility';
import type { Reaction } from '../reactions/reactions';
import type { Submessage } from '../widgets/submessages';
import type { MessageWidget } from '../../domain/widgets/widget-text';
import type { Renderings } from './rendering';
import { TEXT_COLUMNS } from './texts';

/** A message with the fields that its presentation and its visibility need. */
export interface MessageRow extends VisibilityFacts, Arrival {
  readonly channelName: string | null;
  readonly topicId: TopicId | null;
  readonly topic: string | null;
  /** Users whom it mentioned by name when it was sent. */
  readonly mentionedWhenSent: readonly UserId[];
  /** Of a direct message: everybody in the conversation, ascending. */
  readonly userIds: readonly UserId[];
  readonly text: Text;
  readonly mentions: MessageContentFacts['mentions'];
  readonly isMe: boolean;
  /** Null for a message that is a text alone. */
  readonly widget: MessageWidget | null;
  readonly echo: MessageSent['data']['echo'];
  readonly sentAt: Instant;
  readonly client: string;
  readonly editedAt: Instant | null;
  /** It was moved, or its topic was renamed, since it was sent. */
  readonly wasMoved: boolean;
  /** Position at which its topic last came from another channel; 0 if it never did. Only of messages as they are now. */
  readonly topicArrived: Position | 0;
  /** Users who had the sender muted when it was sent. Only of messages as they were sent. */
  readonly mutedBy: ReadonlySet<UserId>;
  /** Its channel has protected history: new subscribers do not see earlier messages. */
  readonly isHistoryProtected: boolean;
}

/** Messages and all that their presentation needs, read together. */
export interface LoadedMessages {
  readonly realmId: RealmId;
  readonly subdomain: string;
  readonly rendered: Renderings;
  /** Those that make links in names of topics. */
  readonly linkifiers: LinkifierSet;
  readonly rows: ReadonlyMap<MessageId, MessageRow>;
  readonly users: ReadonlyMap<UserId, UserRow>;
  /** Their changes, newest first, as far as the organization shows them. */
  readonly changes: ReadonlyMap<MessageId, readonly MessageChange[]>;
  /** When they were last moved, not counting that their topic was resolved. */
  readonly movedAt: ReadonlyMap<MessageId, Instant>;
  /** In the order in which they were added; messages without reactions are left out. */
  readonly reactions: ReadonlyMap<MessageId, readonly Reaction[]>;
  /** What clients make widgets of, in order; messages without a widget are left out. */
  readonly submessages: ReadonlyMap<MessageId, readonly Submessage[]>;
}

/** `now`: messages as they are; `sent`: as they were sent. */
export type Tense = 'now' | 'sent';

type Stored = Omit<MessageRow, 'userIds' | 'unreadFor' | 'text' | 'mentions' | 'isMe' | 'widget' | 'echo' | 'mutedBy'> &
  Omit<Text, 'previews'> & {
    /** JSON of the previews of its links. */
    readonly previews: string | null;
    readonly userIds: readonly (string | number)[] | null;
    readonly unreadFor: readonly (string | number)[] | null;
    readonly mutedBy: readonly UserId[];
    /** JSON of the event that holds the text. */
    readonly data: string;
  };

/** Rows that are parsed in one turn of the event loop. */
const ROWS_PER_TURN = 200;

/** Position at which the topic of row `m` last came from another channel. */
const TOPIC_ARRIVED_SQL = `coalesce((SELECT max(y.until) FROM view.topic_stays AS y
  WHERE y.realm_id = m.realm_id AND y.topic_id = m.topic_id), 0)`;

/** Messages alone; those that do not exist are left out. */
export async function readMessageRows(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  tense: Tense,
): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const position = tense === 'now' ? 'm.content_position' : 'm.message_id';
  const editedAt = tense === 'now' ? 'm.edited_at' : 'NULL::int8';
  const mutedBy = tense === 'now' ? `'{}'::int4[]` : mutersSql('m.sender_id', 'm.message_id');
  const topicArrived = tense === 'now' ? TOPIC_ARRIVED_SQL : '0';
  const { rows } = await client.query<Stored>({
    name: `messages-rows-${tense}`,
    text: `SELECT m.message_id AS id, m.sender_id AS "senderId", p.channel_id AS "channelId", c.name AS "channelName",
        m.topic_id AS "topicId", p.name AS topic, m.was_moved OR coalesce(p.was_moved, false) AS "wasMoved",
        NOT coalesce(c.history_public_to_subscribers, true) AS "isHistoryProtected", m.conversation_id AS "conversationId", v.user_ids AS "userIds",
        m.sent_channel_id AS "sentChannelId", coalesce(${ARRIVED_SQL}, m.message_id) AS arrived, ${topicArrived} AS "topicArrived",
        ARRAY(SELECT n.user_id FROM view.mentioned_when_sent AS n
          WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id) AS "mentionedWhenSent",
        e.position, e.data::text AS data, ${TEXT_COLUMNS}, w.sealed->'words'->>'previews' AS previews, m.sent_at AS "sentAt", m.client,
        m.read_by AS "readBy", m.unread_for AS "unreadFor", ${editedAt} AS "editedAt", ${mutedBy} AS "mutedBy"
      FROM view.messages AS m
      JOIN events AS e ON e.realm_id = m.realm_id AND e.position = ${position}
      ${PLACE_JOIN}
      LEFT JOIN view.link_previews AS l ON l.realm_id = m.realm_id AND l.message_id = m.message_id
        AND l.content_position = e.position
      LEFT JOIN events AS w ON w.realm_id = l.realm_id AND w.position = l.preview_position
      LEFT JOIN view.conversations AS v ON v.realm_id = m.realm_id AND v.conversation_id = m.conversation_id
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return longWork.map(String(realmId), rows, ROWS_PER_TURN, messageRow);
}

const NOBODY: ReadonlySet<never> = new Set();

function messageRow({
  position,
  content,
  names,
  zform,
  previews,
  data,
  userIds,
  unreadFor,
  mutedBy: muters,
  ...row
}: Stored): MessageRow {
  // Only the text of a message without a widget is edited, so the event with the text says whether there is one.
  const { mentions, isMe, widget = null, echo, files = [] } = sentData(data);
  const people = (userIds ?? []).map(Number) as UserId[];
  const unread = unreadFor === null ? null : (unreadFor.map(Number) as UserId[]);
  const mutedBy = muters.length === 0 ? NOBODY : new Set(muters);
  return {
    ...row,
    mentions,
    isMe,
    widget,
    echo,
    userIds: people,
    unreadFor: unread,
    mutedBy,
    text: {
      position,
      content,
      names,
      ...(zform && { zform }),
      files,
      previews: previews === null ? null : (JSON.parse(previews) as LinkPreview[]),
    },
  };
}
