import type { Pool } from 'pg';
import type { IsHighlighted } from './highlight';
import type { TextQuery } from './text-queries';

/** Most words in one question to PostgreSQL. */
const PAGE = 5_000;

/** Which of some words a search matches, by their stems. */
export async function readHighlighted(
  pool: Pool,
  query: TextQuery,
  words: ReadonlySet<string>,
): Promise<IsHighlighted> {
  const all = [...words];
  const found = new Set<string>();
  for (let from = 0; from < all.length && query.words !== ''; from += PAGE) {
    const { rows } = await pool.query<{ word: string }>({
      name: 'messages-highlighted-words',
      text: `SELECT w.word FROM unnest($1::text[]) AS w(word) WHERE EXISTS (SELECT FROM unnest($2::text[]) AS l(configuration)
        WHERE to_tsvector(l.configuration::regconfig, w.word) @@ $3::tsquery)`,
      values: [all.slice(from, from + PAGE), query.configurations, query.words],
    });
    for (const { word } of rows) found.add(word);
  }
  return (word) => found.has(word);
}
