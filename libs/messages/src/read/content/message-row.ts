import { readChannels } from '@annals/channels';
import { longWork } from '@annals/kernel';
import type {
  ChannelId,
  ConversationId,
  Instant,
  MessageId,
  Position,
  RealmId,
  TopicId,
  UserId,
} from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import { readRealm } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { readUsers } from '@annals/users';
import type { ClientBase, Pool } from 'pg';
import type { ContentFacts, MessageSent } from '../../domain/events';
import type { Change } from './changes';
import { MAX_EDITS_REPORTED, MAX_PREVIOUS_TEXT, changesOf, lastMovedAt, latestOf, lengthOf } from './changes';
import type { PlaceHistory } from '../history/place-history';
import { readPlaceHistory } from '../history/place-history';
import type { Text } from './texts';
import { PLACE_JOIN } from '../visibility/visibility';
import type { Reaction } from '../reactions/reactions';
import { readReactions } from '../reactions/reactions';
import { Renderings } from './rendering';
import { TEXT_COLUMNS, readEdits } from './texts';

/** A message with the fields that its presentation needs. */
export interface MessageRow {
  readonly id: MessageId;
  readonly senderId: UserId;
  readonly channelId: ChannelId | null;
  readonly channelName: string | null;
  readonly topicId: TopicId | null;
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
  /** The user who had read it when it was sent, because they sent or caused it. */
  readonly readBy: UserId | null;
  readonly editedAt: Instant | null;
  /** It was moved, or its topic was renamed, since it was sent. */
  readonly wasMoved: boolean;
  /** Its channel has protected history: new subscribers do not see earlier messages. */
  readonly isHistoryProtected: boolean;
}

/** Messages and all that their presentation needs, read together. */
export interface LoadedMessages {
  readonly realmId: RealmId;
  readonly subdomain: string;
  readonly rendered: Renderings;
  readonly rows: ReadonlyMap<MessageId, MessageRow>;
  readonly users: ReadonlyMap<UserId, UserRow>;
  /** Their changes, newest first, as far as the organization shows them. */
  readonly changes: ReadonlyMap<MessageId, readonly Change[]>;
  /** When they were last moved, not counting that their topic was resolved. */
  readonly movedAt: ReadonlyMap<MessageId, Instant>;
  /** In the order in which they were added; messages without reactions are left out. */
  readonly reactions: ReadonlyMap<MessageId, readonly Reaction[]>;
}

/** `now`: messages as they are; `sent`: as they were sent. */
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
  const { message_edit_history_visibility_policy: policy, inline_image_preview: imagePreviews } = realm.settings;
  const stored = await readMessageRows(client, realmId, ids, tense);
  const history = await readPlaceHistory(client, realmId, stored.filter(isMoved));
  const rows = tense === 'sent' ? await asSent(client, realmId, stored, history) : stored;
  const people = new Set(rows.flatMap(({ senderId, userIds }) => [senderId, ...userIds]));
  const users = await readUsers(client, realmId, [...people]);
  return {
    realmId,
    subdomain: realm.subdomain,
    rendered: new Renderings(realmId, imagePreviews),
    rows: new Map(rows.map((row) => [row.id, row])),
    users: new Map(users.map((user) => [user.userId, user])),
    ...(tense === 'now' ? await readChanges(client, realmId, rows, history, policy) : NO_CHANGES),
    // A message has no reactions when it is sent.
    reactions: tense === 'now' ? await readReactions(client, realmId, ids) : new Map<MessageId, Reaction[]>(),
  };
}

type HistoryPolicy = RealmSettings['message_edit_history_visibility_policy'];

const NO_CHANGES = { changes: new Map<never, never>(), movedAt: new Map<never, never>() };

const isMoved = (row: MessageRow): row is MessageRow & { readonly topicId: TopicId } =>
  row.wasMoved && row.topicId !== null;

/** Maximum length of the previous texts of a page together, in code units; those of the newest messages come first. */
const MAX_PAGE_PREVIOUS_TEXT = 2_000_000;
/** Maximum of bytes that are read from the log for them, present texts included. */
const MAX_PAGE_BYTES = 8_000_000;

/** Contract/messages.md section 5.5 and permissions.md section 5. */
async function readChanges(
  client: Pool | ClientBase,
  realmId: RealmId,
  rows: readonly MessageRow[],
  history: PlaceHistory,
  policy: HistoryPolicy,
): Promise<Pick<LoadedMessages, 'changes' | 'movedAt'>> {
  const edited = policy === 'all' ? rows.filter(({ editedAt }) => editedAt !== null) : [];
  const edits = await readEdits(
    client,
    realmId,
    edited.map(({ id }) => id),
    { most: MAX_EDITS_REPORTED, bytes: MAX_PAGE_BYTES },
  );
  const changes = new Map<MessageId, readonly Change[]>();
  const movedAt = new Map<MessageId, Instant>();
  let room = MAX_PAGE_PREVIOUS_TEXT;
  for (const { id } of [...rows].sort((a, b) => b.id - a.id)) {
    const all = policy === 'none' ? [] : changesOf(edits.get(id) ?? [], history.moves(id));
    const found = latestOf(all, Math.min(room, MAX_PREVIOUS_TEXT));
    room -= lengthOf(found);
    if (found.length > 0) changes.set(id, found);
    const at = lastMovedAt(id, history);
    if (at !== null) movedAt.set(id, at);
  }
  return { changes, movedAt };
}

/** Messages in the places that they were sent to: their recipients may not have access to where they are now. */
async function asSent(
  client: Pool | ClientBase,
  realmId: RealmId,
  rows: readonly MessageRow[],
  history: PlaceHistory,
): Promise<MessageRow[]> {
  const placeOf = ({ id }: MessageRow) => history.at(id, id as number as Position);
  const channels = await readChannels(
    client,
    realmId,
    rows.flatMap((row) => placeOf(row)?.channelId ?? []),
  );
  return rows.map((row) => {
    const place = placeOf(row);
    if (!place) return row;
    const { channelId, topicId, topic } = place;
    return { ...row, channelId, topicId, topic, channelName: channels.get(channelId)?.name ?? null };
  });
}

type Stored = Omit<MessageRow, 'userIds' | 'text' | 'mentions' | 'isMe' | 'echo'> &
  Text & {
    readonly userIds: readonly (string | number)[] | null;
    /** JSON of the event that holds the text. */
    readonly data: string;
  };

/** Rows that are parsed in one turn of the event loop. */
const ROWS_PER_TURN = 200;

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
  const { rows } = await client.query<Stored>({
    name: `messages-rows-${tense}`,
    text: `SELECT m.message_id AS id, m.sender_id AS "senderId", p.channel_id AS "channelId", c.name AS "channelName",
        m.topic_id AS "topicId", p.name AS topic, m.was_moved OR coalesce(p.was_moved, false) AS "wasMoved",
        NOT coalesce(c.history_public_to_subscribers, true) AS "isHistoryProtected", m.conversation_id AS "conversationId", v.user_ids AS "userIds",
        e.position, e.data::text AS data, ${TEXT_COLUMNS}, m.sent_at AS "sentAt", m.client,
        m.read_by AS "readBy", ${editedAt} AS "editedAt"
      FROM view.messages AS m
      JOIN events AS e ON e.realm_id = m.realm_id AND e.position = ${position}
      ${PLACE_JOIN}
      LEFT JOIN view.conversations AS v ON v.realm_id = m.realm_id AND v.conversation_id = m.conversation_id
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return longWork.map(String(realmId), rows, ROWS_PER_TURN, messageRow);
}

function messageRow({ position, content, names, data, userIds, ...row }: Stored): MessageRow {
  const { mentions, isMe, echo } = JSON.parse(data) as MessageSent['data'];
  const people = (userIds ?? []).map(Number) as UserId[];
  return { ...row, mentions, isMe, echo, userIds: people, text: { position, content, names } };
}
