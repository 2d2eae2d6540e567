import type { Moment, UserId } from '@annals/kernel/domain';
import { IntegerParam, MomentParam } from '@annals/web';
import type { WireNarrow } from '../read/narrow/narrow-terms';

export const AsOfParam = () =>
  MomentParam({ optional: true, about: 'A moment: the answer is the one that was given then.' });

export const ViewerParam = () =>
  IntegerParam({
    optional: true,
    min: 0,
    about:
      'With `as_of`: the account whose view of then is asked for, instead of the own one. For auditors of contents.',
  });

/** Parameters of a request that may be about the past (docs/api/past.md). */
export class PastParams {
  @AsOfParam() as_of?: Moment;
  @ViewerParam() viewer_id?: UserId;
}

/** A narrow as the log has it. */
export interface RecordedNarrow {
  /** Operators with their operands, such as `channel:5`, `-is:resolved` and `topic`. Names and words are left out. */
  readonly terms: readonly string[];
  /** Whether something was left out, so that different narrows may have these terms. */
  readonly leavesOut: boolean;
}

/** The operators of a narrow, with operands that are ids or words of the API. What people wrote stays out of the log's open part. */
export function recordedNarrow(narrow: WireNarrow): RecordedNarrow {
  const terms = narrow.map((term) => {
    const [operator, operand, negated] = Array.isArray(term)
      ? [...term, false]
      : [term.operator, term.operand, term.negated ?? false];
    const values = [operand].flat();
    const known = values.filter((one) => Number.isSafeInteger(one) || CLOSED.includes(operator));
    const name = `${negated ? '-' : ''}${operator}`;
    return { text: known.length === 0 ? name : `${name}:${known.join(',')}`, isWhole: known.length === values.length };
  });
  return { terms: terms.map(({ text }) => text), leavesOut: !terms.every(({ isWhole }) => isWhole) };
}

/** Operators whose operands are words of the API. A narrow was answered, so they are among these. */
const CLOSED: readonly string[] = ['is', 'in', 'has', 'channels', 'streams'];
