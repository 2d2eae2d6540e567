import type { FeedReader } from '@annals/kernel';
import type { Instant, MessageId, Position } from '@annals/kernel/domain';
import type { Text } from '../content/texts';
import { TEXT_COLUMNS } from '../content/texts';
import type { MessageContentFacts } from '../../domain/events';
import { messageAggregate } from '../../domain/message/message';
import { textFacts } from '../../domain/message/stored-data';

/** The text that a message had at a moment, with the facts about it. */
export interface PastText {
  readonly text: Text;
  readonly facts: MessageContentFacts;
  /** When it was written: when the message was sent, or edited last. */
  readonly at: Instant;
}

interface Stored extends Text {
  readonly id: MessageId;
  readonly at: Instant;
  /** JSON of the event. */
  readonly data: string;
}

/** Reads the texts of messages right after the event at a position. A page costs one look into each stream. */
export async function readPastTexts(
  { client, realmId }: FeedReader,
  ids: readonly MessageId[],
  position: Position,
): Promise<ReadonlyMap<MessageId, PastText>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Stored>({
    name: 'messages-past-texts',
    text: `SELECT s.id, e.position, e.at, e.data::text AS data, ${TEXT_COLUMNS}
      FROM unnest($2::int8[], $3::text[]) AS s(id, stream) CROSS JOIN LATERAL (
        SELECT * FROM events AS w WHERE w.realm_id = $1 AND w.stream = s.stream AND w.position <= $4
        ORDER BY w.version DESC LIMIT 1) AS e`,
    values: [realmId, ids, ids.map((id) => messageAggregate.stream(id)), position],
  });
  return new Map(
    rows.map(({ id, at, data, position: since, content, names, zform }) => {
      const facts = textFacts(data);
      return [id, { text: { position: since, content, names, zform, files: facts.files ?? [] }, facts, at }];
    }),
  );
}

/** Approximate length of these texts in bytes, without reading them. */
export async function readPastTextBytes(
  { client, realmId }: FeedReader,
  ids: readonly MessageId[],
  position: Position,
): Promise<ReadonlyMap<MessageId, number>> {
  if (ids.length <= FEW) return new Map();
  const { rows } = await client.query<{ id: MessageId; bytes: number }>({
    name: 'messages-past-text-bytes',
    text: `SELECT s.id, coalesce(octet_length(e.sealed::text), 0) AS bytes
      FROM unnest($2::int8[], $3::text[]) AS s(id, stream) CROSS JOIN LATERAL (
        SELECT w.sealed FROM events AS w WHERE w.realm_id = $1 AND w.stream = s.stream AND w.position <= $4
        ORDER BY w.version DESC LIMIT 1) AS e`,
    values: [realmId, ids, ids.map((id) => messageAggregate.stream(id)), position],
  });
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** So many messages are read together without knowing how long their texts are. */
const FEW = 100;
