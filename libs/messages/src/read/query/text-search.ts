import { READER, readerValues } from '@annals/channels';
import type { Actor, MessageId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { NarrowText } from '../narrow/compiled-narrow';
import { matchesSql } from '../search/matches-sql';
import { either, every } from '../search/text-queries';
import { PLACE_JOIN, VISIBLE_SQL } from '../visibility/visibility';
import { RECEIVED_OR_ARRIVED_SQL, direction, hidden } from './finder-sql';
import type { IdRange, Search } from './message-search';
import { narrowStatements } from './statement-names';

/** Messages that are read one by one before the index of words is used. Later pages are larger, up to the maximum. */
const FIRST_PAGE = 400;
const MAX_PAGE = 4_000;
/** Reading a message takes as long as reading so many entries of the index. */
const ENTRIES_PER_LOOK = 5;
/** Reading an entry of the index takes as long as reading the words of so many messages in the order of their ids. */
const WORDS_PER_ENTRY = 12;
/** A stretch in which so many times as many messages as are wanted are expected has enough nearly always. */
const MARGIN = 1.5;

/** The facts for a search for words. */
export interface TextSearch {
  readonly pool: Pool;
  readonly by: Actor;
  readonly text: NarrowText;
  /** Position of the newest event of the organization. */
  readonly head: number;
  /** Finds visible messages of the narrow without its words. */
  readonly walk: (search: Search) => Promise<MessageId[]>;
}

/**
 * Finds messages with words. Messages with a common word are found by reading those of the narrow from one end. For a less
 * common word, the words of all messages of a stretch are read, whatever the narrow is. A rare word is looked up in the index
 * of words, which finds all messages with it. The frequency of the words in the messages read so far decides which way is
 * shorter.
 *
 * @returns ids in the order of the search
 */
export async function searchText(search: Search, text: TextSearch): Promise<MessageId[]> {
  const { order, limit } = search;
  const found: MessageId[] = [];
  if (text.text.query.phrases.length === 0) return found;
  const start =
    order === 'newest first' ? Math.min(search.range.before, text.head + 1) : Math.max(search.range.after, 0);
  for (let [{ range }, size, looked] = [search, FIRST_PAGE, 0]; found.length < limit;) {
    const page = await text.walk({ ...search, narrow: text.text.others, range, limit: size });
    found.push(...(await matching(text, page, order)));
    const last = page[size - 1];
    if (last === undefined) break;
    range = behind(range, last, order);
    looked += size;
    const missing = limit - found.length;
    const frequency = found.length / looked;
    if (missing * ENTRIES_PER_LOOK > text.head * frequency ** 2) {
      const density = found.length / Math.abs(start - last);
      if (missing > 0)
        found.push(...(await behindRead({ ...search, range, limit: missing }, text, frequency, density)));
      break;
    }
    size = Math.min(Math.ceil(missing / frequency), MAX_PAGE);
  }
  return found.slice(0, limit);
}

const behind = ({ after, before }: IdRange, last: number, order: Search['order']): IdRange =>
  order === 'newest first' ? { after, before: last } : { after: last, before };

/** Those of some messages that have the words, in the order of the search. */
async function matching({ pool, by, text }: TextSearch, ids: readonly MessageId[], order: Search['order']) {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<{ id: MessageId }>({
    ...narrowStatements.named(`SELECT m.message_id AS id FROM view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) AND ${matchesSql('$3')}
      ORDER BY m.message_id ${direction(order)}`),
    values: [by.realmId, ids, text.query.phrases],
  });
  return rows.map(({ id }) => id);
}

/**
 * Messages behind those that were read.
 *
 * @param frequency part of the messages with the words, as estimated
 * @param density messages of the narrow with the words for each position of the log, as estimated
 */
async function behindRead(search: Search, text: TextSearch, frequency: number, density: number): Promise<MessageId[]> {
  const { order, limit } = search;
  const stretch = Math.ceil((MARGIN * limit) / density);
  if (stretch >= text.head * frequency * WORDS_PER_ENTRY) return byWords(search, text, 'by index');
  const { after, before } = search.range;
  const [near, far] =
    order === 'newest first'
      ? [
          { after: Math.max(after, before - stretch), before },
          { after, before: before - stretch + 1 },
        ]
      : [
          { after, before: Math.min(before, after + stretch) },
          { after: after + stretch - 1, before },
        ];
  const found = await byWords({ ...search, range: near }, text, 'in order');
  const missing = limit - found.length;
  if (missing <= 0 || far.before - far.after <= 1) return found;
  return [...found, ...(await byWords({ ...search, range: far, limit: missing }, text, 'by index'))];
}

/** How rows of words are found: by the index of words, or all of a range one after the other. */
type WordAccess = 'by index' | 'in order';

async function byWords(search: Search, { pool, by, text }: TextSearch, access: WordAccess): Promise<MessageId[]> {
  const { narrow, range, limit } = search;
  const { rows } = await pool.query<{ id: MessageId }>({
    ...narrowStatements.named(wordsSql(search, access)),
    values: [
      ...[...readerValues(by), ...narrow.values, range.after, range.before, limit],
      ...[every(text.query.phrases), either(text.query.phrases)],
    ],
  });
  return rows.map(({ id }) => id);
}

/**
 * Messages by their words. Their ids are sorted first, so that narrow and visibility are checked in the order of the
 * search, for as many messages as are needed. An expression keeps the planner from the other index: of the ids, or of the
 * words.
 */
export function wordsSql({ narrow, order }: Pick<Search, 'narrow' | 'order'>, access: WordAccess): string {
  const { conditions, values, source } = narrow;
  const next = 6 + values.length;
  const inRange = (id: string) => `${id} > ${hidden(next)} AND ${id} < ${hidden(next + 1)}`;
  const fits = ['m.realm_id = $1', 'm.message_id = h.message_id', ...conditions, VISIBLE_SQL];
  if (source === 'received') fits.push(RECEIVED_OR_ARRIVED_SQL);
  const has = `x.words @@ $${next + 3}::tsquery`;
  const hit =
    access === 'by index'
      ? `${has} AND ${inRange('x.message_id + 0')}`
      : `(${has}) IS TRUE AND ${inRange('x.message_id')}`;
  return `WITH hits AS MATERIALIZED (SELECT DISTINCT message_id FROM (
        SELECT x.message_id FROM view.message_words AS x WHERE x.realm_id = $1 AND ${hit}
        UNION ALL SELECT m.message_id FROM view.topic_words AS y
          JOIN view.messages AS m ON m.realm_id = $1 AND m.topic_id = y.topic_id AND ${inRange('m.message_id')}
          WHERE y.realm_id = $1 AND y.words @@ $${next + 4}::tsquery) AS found ORDER BY message_id ${direction(order)})
      SELECT h.message_id AS id FROM (SELECT message_id FROM hits ORDER BY message_id ${direction(order)}) AS h
        CROSS JOIN LATERAL (SELECT FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
          WHERE ${fits.join(' AND ')} OFFSET 0) AS one
      ORDER BY h.message_id ${direction(order)} LIMIT $${next + 2}`;
}
