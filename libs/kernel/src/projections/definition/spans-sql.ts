/**
 * Condition: `contains` of the domain, for row `span` of a table with the columns `from_position` and `to_position`.
 *
 * @param position expression for the position
 */
export const containsSql = (span: string, position: string): string =>
  `${span}.from_position <= ${position} AND (${span}.to_position IS NULL OR ${position} < ${span}.to_position)`;

/**
 * Condition: `overlaps` of the domain, for row `span` of such a table.
 *
 * @param first expression for the first position
 * @param last expression for the last position
 */
export const overlapsSql = (span: string, first: string, last: string): string =>
  `${span}.from_position <= ${last} AND (${span}.to_position IS NULL OR ${first} < ${span}.to_position)`;

/** Condition: `overlaps` of the domain, for two rows of such tables. */
export const rowsOverlapSql = (one: string, other: string): string =>
  `greatest(${one}.from_position, ${other}.from_position)
    < coalesce(least(${one}.to_position, ${other}.to_position), ${Number.MAX_SAFE_INTEGER})`;
