/**
 * Condition: `contains` of the domain, for row `span` of a table with the columns `from_position` and `to_position`.
 *
 * @param position expression for the position
 */
export const containsSql = (span: string, position: string): string =>
  `${span}.from_position <= ${position} AND (${span}.to_position IS NULL OR ${position} < ${span}.to_position)`;
