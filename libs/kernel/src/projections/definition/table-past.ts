import type { Row } from './define';

/**
 * How the rows that a table had at an earlier position are found (`past/past.ts`):
 *
 * - `spans`: it has the columns `from_position` and `to_position`, and no other column of a row ever changes.
 * - `added`: rows are never changed or deleted.
 * - by streams: a row that changed later is folded again from the streams that it is made of.
 * - by a query over the live tables.
 */
export type TablePast = 'spans' | 'added' | PastByStreams | PastByQuery;

export interface PastByStreams {
  /** The streams with all events that make the row with this key, and perhaps other rows. */
  readonly streams: (key: Row) => readonly string[];
  /** Types of events that change the rows in a way that a reader of the past needs. */
  readonly types: readonly { readonly type: string }[];
  /** Types that hold for the past too, however late they are: what they remove is not shown again. */
  readonly lasting?: readonly { readonly type: string }[];
  /**
   * For tables with deleted rows: a query for keys whose streams contain rows that were deleted after the position `$2`
   * of the realm `$1`. Their other columns may be missing.
   */
  readonly deletedSince?: string;
}

export interface PastByQuery {
  /**
   * A query for all columns of the table, in declared order with `realm_id` first and `last_position` last.
   *
   * @param realm expression for the realm's id
   * @param position expression for the position
   */
  readonly query: (realm: string, position: string) => string;
}
