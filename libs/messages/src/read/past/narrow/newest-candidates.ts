import type { MessageId, TopicId } from '@annals/kernel/domain';
import { narrowStatements } from '../../query/statement-names';
import type { MaybeMatches } from './past-candidates';
import type { PastReading } from '../past-reading';

/** Topics, each with the id before which to look, and how many messages of each are wanted. */
export interface NewestOf {
  readonly topics: readonly { readonly id: TopicId; readonly before: number }[];
  readonly each: number;
  readonly maybe: readonly MaybeMatches[];
}

/**
 * The newest messages that may have been in topics, newest first: they are there, left by themselves later, or were deleted
 * later. Each topic costs three looks into indexes.
 */
export async function readNewestCandidates(
  { reader: { client, realmId }, position }: PastReading,
  { topics, each, maybe }: NewestOf,
): Promise<ReadonlyMap<TopicId, readonly MessageId[]>> {
  const values: unknown[] = [realmId, position, each, topics.map(({ id }) => id), topics.map(({ before }) => before)];
  const matching = maybe.map((condition) => ` AND (${condition((value) => `$${values.push(value)}`)})`).join('');
  const newestIn = (
    table: string,
    condition: string,
  ) => `(SELECT DISTINCT m.topic_id, m.message_id FROM view.${table} AS m
    WHERE m.realm_id = $1 AND m.topic_id IS NOT NULL
      AND (m.topic_id, m.message_id) > (g.id, 0::int8) AND (m.topic_id, m.message_id) < (g.id, g.before) AND ${condition}
    ORDER BY m.topic_id DESC, m.message_id DESC LIMIT $3::int8)`;
  const text = `SELECT g.id, to_json(ARRAY(SELECT n.message_id FROM (${newestIn('messages', `true${matching}`)}
      UNION ${newestIn('message_moves', 'm.position > $2')} UNION ${newestIn('deleted_messages', 'm.position > $2')}) AS n
      ORDER BY n.message_id DESC LIMIT $3::int8))::text AS ids
    FROM unnest($4::int4[], $5::int8[]) AS g(id, before)`;
  const { rows } = await client.query<{ id: TopicId; ids: string }>({ ...narrowStatements.named(text), values });
  return new Map(rows.map(({ id, ids }) => [id, JSON.parse(ids) as MessageId[]]));
}
