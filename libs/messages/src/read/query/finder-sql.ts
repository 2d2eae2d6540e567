import { HAS_FLAG_SQL } from '../unread/unread-sql';
import { RECEIVED_SQL } from '../visibility/visibility';
import type { Search } from './message-search';

/** Condition: visible message `m` is one that the reader received. A channel with protected history shows no others. */
export const RECEIVED_OR_ARRIVED_SQL = `(${RECEIVED_SQL} OR ${HAS_FLAG_SQL}
  OR NOT c.history_public_to_subscribers)`;

export const direction = (order: Search['order']): string => (order === 'newest first' ? 'DESC' : 'ASC');

/**
 * A value that the planner does not see. If it saw the range, it would prefer a plan for each range, and to plan takes longer than to
 * read. If it saw how many messages are wanted, it would sort all of them where it expects fewer.
 */
export const hidden = (placeholder: number): string => `(SELECT $${placeholder}::int8)`;
