import type { Actor, ChannelId, MessageId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { TextQuery } from '../search/text-queries';

/**
 * The messages that are searched: those that the user received, or all that they may see of a channel, of a conversation, or of
 * the channels that are open to them.
 */
export type Source = 'received' | 'seen';

/**
 * Joins that lead from the reader `r` by an index to messages as row `m`.
 *
 * @param inRange condition: the id in a column is in the range that is searched
 */
export type CandidateJoins = (inRange: (column: string) => string) => string;

/** Decides for many messages at once what the SQL conditions of a narrow leave open. */
export type NarrowCheck = (pool: Pool, by: Actor, ids: readonly MessageId[]) => Promise<(id: MessageId) => boolean>;

/** The words that a narrow searches for. */
export interface NarrowText {
  readonly query: TextQuery;
  /** The narrow without them. */
  readonly others: CompiledNarrow;
}

/** A narrow as SQL conditions on row `m` of `view.messages` and the rows of PLACE_JOIN, and checks by code. */
export interface CompiledNarrow {
  readonly source: Source;
  /** The channel to search, unless a topic finds the messages faster. Null for all channels. */
  readonly within: ChannelId | null;
  readonly conditions: readonly string[];
  /** Values of the placeholders in conditions and candidates, from `$6` on. */
  readonly values: readonly unknown[];
  /**
   * Find all messages of the narrow, and perhaps others, faster than through all messages that the user received. Null
   * if nothing does.
   */
  readonly candidates: readonly CandidateJoins[] | null;
  readonly checks: readonly NarrowCheck[];
  /** Whether the reader can see all messages that match: those of one channel with shared history, or of one conversation. */
  readonly isVisible: boolean;
  /** Finds the messages by an index of words. The conditions have the words too. Null if no words are searched for. */
  readonly text: NarrowText | null;
  /** The words to highlight in the answer: none if the narrow only excludes words. Null if it has no search. */
  readonly highlighted: TextQuery | null;
}

/** The empty narrow. */
export const EVERYTHING: CompiledNarrow = {
  source: 'received',
  within: null,
  conditions: [],
  values: [],
  candidates: null,
  checks: [],
  isVisible: false,
  text: null,
  highlighted: null,
};

/** A condition on row `m` and the reader `r` that SQL decides for most messages, and code for the rest. */
export interface PartialCondition {
  /** Holds for every message that matches, and perhaps for others. */
  readonly maybe: string;
  /** Holds only for messages that match. */
  readonly surely: string;
  /** Reads the messages for which `maybe` holds and `surely` does not, with the answer for each. */
  readonly decide: (pool: Pool, by: Actor, ids: readonly MessageId[]) => Promise<ReadonlyMap<MessageId, boolean>>;
  readonly candidates: readonly CandidateJoins[] | null;
}

/** The first placeholder after those of channels' READER. */
const FIRST = 6;

/** Collects the parts of a narrow from its terms. */
export class NarrowBuilder {
  private readonly conditions: string[] = [];
  private readonly values: unknown[] = [];
  private readonly checks: NarrowCheck[] = [];
  private candidates: readonly CandidateJoins[] | null = null;

  /** @returns the placeholder of a value */
  parameter(value: unknown): string {
    return `$${this.values.push(value) + FIRST - 1}`;
  }

  /** @param candidates find all messages for which the condition holds */
  add(condition: string, negated: boolean, candidates: readonly CandidateJoins[] | null = null): void {
    this.conditions.push(negates(condition, negated));
    if (!negated) this.candidates ??= candidates;
  }

  addPartial({ maybe, surely, decide, candidates }: PartialCondition, negated: boolean): void {
    this.add(negated ? surely : maybe, negated, candidates);
    this.checks.push(async (pool, by, ids) => {
      const decided = await decide(pool, by, ids);
      return (id) => (decided.get(id) ?? !negated) !== negated;
    });
  }

  build({ source, within, isVisible }: Pick<CompiledNarrow, 'source' | 'within' | 'isVisible'>): CompiledNarrow {
    const { conditions, values, candidates, checks } = this;
    return {
      source,
      within,
      isVisible,
      conditions: [...conditions],
      values: [...values],
      candidates,
      checks,
      text: null,
      highlighted: null,
    };
  }
}

/** NULL counts as false: a direct message has no channel, so it matches no channel condition. */
const negates = (condition: string, negated: boolean): string =>
  negated ? `(${condition}) IS NOT TRUE` : `(${condition})`;
