import type { ChannelId, ConversationId, Instant, MessageId, RealmId, UserId } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { readUsers } from '@annals/users';
import type { ClientBase, Pool } from 'pg';
import type { ContentFacts, MessageSent } from '../domain/events';
import type { Reaction } from './reactions';
import { readReactions } from './reactions';
import type { Edit, Text } from './texts';
import { WORDS, readEdits } from './texts';

/** A message with what it is shown by. */
export interface MessageRow {
  readonly id: MessageId;
  readonly senderId: UserId;
  readonly channelId: ChannelId | null;
  readonly channelName: string | null;
  readonly topicId: number | null;
  readonly topic: string | null;
  readonly conversationId: ConversationId | null;
  /** Of a direct message: everybody in the conversation, ascending. */
  readonly userIds: readonly UserId[];
  readonly text: Text;
  readonly mentions: ContentFacts['mentions'];
  readonly isMe: boolean;
  readonly echo: MessageSent['data']['echo'];
  readonly sentAt: Instant;
  readonly client: string;
  /** Who had read it when it came, because they sent or caused it. */
  readonly readBy: UserId | null;
  readonly editedAt: Instant | null;
}

/** Messages and everything that presenting them needs, read once for all of them. */
export interface LoadedMessages {
  readonly realmId: RealmId;
  readonly subdomain: string;
  readonly imagePreviews: boolean;
  readonly rows: ReadonlyMap<MessageId, MessageRow>;
  readonly users: ReadonlyMap<UserId, UserRow>;
  /** Newest first; empty where the organization hides the history of edits. */
  readonly edits: ReadonlyMap<MessageId, readonly Edit[]>;
  /** In the order in which they were added; messages with none are left out. */
  readonly reactions: ReadonlyMap<MessageId, readonly Reaction[]>;
}

/** `now`: messages as they are; `sent`: as they were sent, whatever was edited since. */
export type Tense = 'now' | 'sent';

/** Loads messages for presenting them; those that do not exist are left out. */
export async function loadMessages(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  tense: Tense,
): Promise<LoadedMessages> {
  const realm = await readRealm(client, realmId);
  if (!realm) throw new Error(`realm ${realmId} does not exist`);
  const rows = await readRows(client, realmId, ids, tense);
  const { message_edit_history_visibility_policy: policy, inline_image_preview: imagePreviews } = realm.settings;
  const edited = policy === 'all' ? rows.filter(({ editedAt }) => editedAt !== null) : [];
  const people = new Set(rows.flatMap(({ senderId, userIds }) => [senderId, ...userIds]));
  const users = await readUsers(client, realmId, [...people]);
  return {
    realmId,
    subdomain: realm.subdomain,
    imagePreviews,
    rows: new Map(rows.map((row) => [row.id, row])),
    users: new Map(users.map((user) => [user.userId, user])),
    edits: await readEdits(
      client,
      realmId,
      edited.map(({ id }) => id),
    ),
    // When it was sent, nobody had reacted to it yet.
    reactions: tense === 'now' ? await readReactions(client, realmId, ids) : new Map<MessageId, Reaction[]>(),
  };
}

type Stored = Omit<MessageRow, 'userIds' | 'text' | 'mentions' | 'isMe' | 'echo'> &
  Text & {
    readonly userIds: readonly (string | number)[] | null;
    /** JSON of the event that holds the text. */
    readonly data: string;
  };

async function readRows(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  tense: Tense,
): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const position = tense === 'now' ? 'm.content_position' : 'm.message_id';
  const editedAt = tense === 'now' ? 'm.edited_at' : 'NULL::int8';
  const { rows } = await client.query<Stored>({
    name: `messages-rows-${tense}`,
    text: `SELECT m.message_id AS id, m.sender_id AS "senderId", m.channel_id AS "channelId", c.name AS "channelName",
        m.topic_id AS "topicId", t.name AS topic, m.conversation_id AS "conversationId", v.user_ids AS "userIds",
        e.position, e.data::text AS data, ${WORDS}, m.sent_at AS "sentAt", m.client,
        m.read_by AS "readBy", ${editedAt} AS "editedAt"
      FROM view.messages AS m
      JOIN events AS e ON e.realm_id = m.realm_id AND e.position = ${position}
      LEFT JOIN view.topics AS t ON t.realm_id = m.realm_id AND t.topic_id = m.topic_id
      LEFT JOIN view.channels AS c ON c.realm_id = m.realm_id AND c.channel_id = m.channel_id
      LEFT JOIN view.conversations AS v ON v.realm_id = m.realm_id AND v.conversation_id = m.conversation_id
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return rows.map(({ position: at, content, names, data, userIds, ...row }) => {
    const { mentions, isMe, echo } = JSON.parse(data) as MessageSent['data'];
    const people = (userIds ?? []).map(Number) as UserId[];
    return { ...row, mentions, isMe, echo, userIds: people, text: { position: at, content, names } };
  });
}
