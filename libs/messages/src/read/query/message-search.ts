import type { CompiledNarrow } from '../narrow/compiled-narrow';

/** A range of ids without its two limits. */
export interface IdRange {
  readonly after: number;
  readonly before: number;
}

/** A narrow, a range, the end from which to search, and the number of messages. */
export interface Search {
  readonly narrow: CompiledNarrow;
  readonly range: IdRange;
  readonly order: 'newest first' | 'oldest first';
  readonly limit: number;
}
