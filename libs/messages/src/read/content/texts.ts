import type { FileId, Instant, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { ascending, grouped } from '@annals/kernel/domain';
import type { LinkPreview } from '@annals/markdown';
import type { ClientBase, Pool } from 'pg';
import type { MessageContentFacts } from '../../domain/events';
import { messageAggregate } from '../../domain/message/message';
import { textFacts } from '../../domain/message/stored-data';

/** A text in the log. */
export interface Text {
  /** Of the event that holds it. */
  readonly position: Position;
  /** Null after it was erased. */
  readonly content: string | null;
  /** JSON of `WrittenNames`, or null where the text has no names. */
  readonly names: string | null;
  /** How a `zform` begins, as JSON; null where the message is none. */
  readonly zform?: string | null | undefined;
  /** The uploads that it links to. Left out if they are not known. */
  readonly files?: readonly FileId[];
  /** What pages say that it links to, of the present text of a message. */
  readonly previews?: readonly LinkPreview[] | null;
}

/** One replacement of a text. */
export interface Edit {
  readonly by: UserId | null;
  readonly at: Instant;
  /** All events of one command are one change of the message. */
  readonly commandId: string;
  readonly previous: Text;
  readonly current: Text;
  /** Facts about the current text. */
  readonly facts: MessageContentFacts;
  /** Facts about the previous text. */
  readonly previousFacts: MessageContentFacts;
}

/** Columns of event `e` that make a `Text`, beside its position. */
export const TEXT_COLUMNS = `e.sealed->'words'->>'content' AS content, e.sealed->'words'->>'names' AS names,
  e.sealed->'words'->>'zform' AS zform`;

interface EditLimits {
  /** Edits of each message; the oldest are left out. */
  readonly most?: number | null;
  /** Of all texts together, approximately; those of the newest messages are read first. */
  readonly bytes?: number | null;
  /** The position of the last event that counts. */
  readonly until?: Position | null;
}

interface Stored extends Text {
  readonly stream: string;
  readonly by: UserId | null;
  readonly at: Instant;
  readonly commandId: string;
  /** JSON of the event. */
  readonly data: string;
}

/**
 * The edits of messages, newest first. All texts of a message are in its stream; each but the first replaces the one before it.
 * Messages without edits are left out.
 */
export async function readEdits(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  { most = null, bytes = null, until = null }: EditLimits = {},
): Promise<Map<MessageId, Edit[]>> {
  const edits = new Map<MessageId, Edit[]>();
  if (ids.length === 0) return edits;
  const idOf = new Map(ascending(ids).map((id) => [messageAggregate.stream(id), id]));
  const { rows } = await client.query<Stored>({
    name: 'messages-texts',
    text: `SELECT e.stream, e.position, e.actor_id AS by, e.at, e.command_id AS "commandId",
        e.data::text AS data, ${TEXT_COLUMNS} FROM (
          SELECT w.*, CASE WHEN $4::int8 IS NULL THEN 0
            ELSE sum(octet_length(w.sealed::text)) OVER (ORDER BY s.place DESC, w.version DESC) END AS bytes
          FROM unnest($2::text[]) WITH ORDINALITY AS s(stream, place) CROSS JOIN LATERAL (
            SELECT * FROM events WHERE realm_id = $1 AND stream = s.stream AND ($5::int8 IS NULL OR position <= $5)
            ORDER BY version DESC LIMIT $3) AS w) AS e
      WHERE coalesce(e.bytes, 0) <= coalesce($4::int8, 0)
      ORDER BY e.stream, e.version DESC`,
    values: [realmId, [...idOf.keys()], most === null ? null : most + 1, bytes, until],
  });
  for (const [stream, written] of grouped(rows, (row) => row.stream)) {
    const id = idOf.get(stream);
    const texts = written.map(({ by, at, commandId, data, position, content, names }) => {
      const facts = textFacts(data);
      return { by, at, commandId, facts, text: { position, content, names, files: facts.files ?? [] } };
    });
    const of = texts.slice(0, -1).map(({ text, ...edit }, n): Edit => {
      const { text: previous, facts: previousFacts } = texts[n + 1] as (typeof texts)[number];
      return { ...edit, current: text, previous, previousFacts };
    });
    if (id !== undefined && of.length > 0) edits.set(id, of);
  }
  return edits;
}

/** The text of a message right after the event at a position. */
export async function readTextAt(
  client: Pool | ClientBase,
  realmId: RealmId,
  id: MessageId,
  position: Position,
): Promise<Text | undefined> {
  const { rows } = await client.query<Omit<Text, 'files'> & { files: string | null }>({
    name: 'messages-text-at',
    text: `SELECT e.position, e.data->>'files' AS files, ${TEXT_COLUMNS} FROM events AS e WHERE e.realm_id = $1 AND e.stream = $2 AND e.position <= $3
      ORDER BY e.version DESC LIMIT 1`,
    values: [realmId, messageAggregate.stream(id), position],
  });
  return rows.map(({ files, ...text }) => ({ ...text, files: JSON.parse(files ?? '[]') as FileId[] }))[0];
}

/** Approximate length of the texts and widgets of messages in bytes, without reading them. */
export async function readTextBytes(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, number>> {
  const { rows } = await client.query<{ id: MessageId; bytes: number }>({
    name: 'messages-text-bytes',
    text: `SELECT id, sum(bytes)::int4 AS bytes FROM (
        SELECT m.message_id AS id, coalesce(octet_length(e.sealed::text), 0) AS bytes FROM view.messages AS m
        JOIN events AS e ON e.realm_id = m.realm_id AND e.position = m.content_position
        WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[])
        UNION ALL SELECT s.message_id, coalesce(octet_length(e.sealed::text), 0) FROM view.submessages AS s
        JOIN events AS e ON e.realm_id = s.realm_id AND e.position = s.position
        WHERE s.realm_id = $1 AND s.message_id = ANY($2::int8[])) AS parts
      GROUP BY id`,
    values: [realmId, ids],
  });
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}
